// No reason of an error is without a test: each code stands in one that provokes it.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorRows } from "../../../src/kernel/errors/error-table.ts";

/** Tests that send requests; the ones of the table itself prove nothing here. */
const files = globSync("test/{e2e,gateway,pipeline,services,transport,security,pages,faults}/**/*.ts").map((file) =>
  readFileSync(file, "utf8"),
);

test("every reason is provoked by a test", () => {
  const isProvoked = ({ code, reason }: { code: string; reason: string }) =>
    files.some((text) => text.includes(`"${code}"`) || text.includes(`"${reason}"`));
  expect(errorRows.filter((row) => !isProvoked(row)).map((row) => row.code)).toEqual([]);
});
