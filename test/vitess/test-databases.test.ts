// Test files create and drop databases while others do: each is a keyspace with tablets of its own.
import { expect, test } from "vitest";
import { createEmptyDatabase } from "../support/databases/database.ts";

test("test databases are created and dropped side by side", async () => {
  const turns = Array.from({ length: 16 }, async () => {
    const { connection, drop } = await createEmptyDatabase();
    await connection.query("CREATE TABLE one (id INT PRIMARY KEY)");
    await drop();
  });
  const outcomes = await Promise.allSettled(turns);
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
});
