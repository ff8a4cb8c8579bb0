// A server that takes no writes any more, as after a switch of the primary: every connection to it is left at once.

import { expect, test } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import { createStores } from "../../../src/store/stores.ts";
import { poolOfTest, poolState } from "../../support/databases/pool.ts";
import { newRows } from "../../support/databases/store-calls.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const poolSize = 4;

const database = await storesOfFile();

/** Has the pool lend all of its connections at a time. @returns the server's ids of them */
function lendAll(db: Database): Promise<(number | null)[]> {
  const allLent = Promise.withResolvers<void>();
  let lentCount = 0;
  const lendOne = () =>
    db.useConnection(signal, async ({ driver }) => {
      lentCount += 1;
      if (lentCount === poolSize) allLent.resolve();
      await allLent.promise;
      return driver.threadId;
    });
  return Promise.all(Array.from({ length: poolSize }, lendOne));
}

test("no idle connection is used again after one write found its server read-only", async () => {
  const { connection, address } = database;
  const db = poolOfTest({ address, poolSize });
  const { identities } = createStores(db);
  const oldIds = new Set(await lendAll(db));
  expect(oldIds.size).toBe(poolSize);
  expect(poolState(db)).toEqual({ used: 0, free: poolSize, pending: 0 });
  // The server is shared with other tests, so its error comes from a trigger.
  await connection.query(
    `CREATE TRIGGER read_only BEFORE INSERT ON partners FOR EACH ROW
     SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = 'as with --read-only'`,
  );
  const { partner } = newRows();
  await expect(identities.insertPartner(partner, signal)).rejects.toMatchObject({ code: "unavailable" });
  await connection.query("DROP TRIGGER read_only");
  expect(oldIds.intersection(new Set(await lendAll(db)))).toEqual(new Set());
  await identities.insertPartner(partner, signal);
});
