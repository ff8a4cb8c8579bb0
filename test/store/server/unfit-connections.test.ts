// A server that takes no writes any more, as after a switch of the primary: every connection to it is left at once.

import type { Knex } from "knex";
import { expect, test } from "vitest";
import { readPoolState } from "../../../src/database/connection.ts";
import { backgroundAcquireTimeoutMs } from "../../../src/database/database.ts";
import { createStores } from "../../../src/store/stores.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { newRows } from "../../support/databases/store-calls.ts";
import { otherConnections } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const poolSize = 4;

const database = await storesOfFile();

/** Has the pool make all of its connections, and keep them. */
async function fill(db: Knex): Promise<void> {
  const connections = await Promise.all(Array.from({ length: poolSize }, () => db.client.acquireConnection()));
  for (const connection of connections) await db.client.releaseConnection(connection);
}

test("no idle connection is used again after one write found its server read-only", async () => {
  const { connection } = database;
  const { address } = database;
  const db = poolOfTest({ address, poolSize, acquireTimeoutMs: backgroundAcquireTimeoutMs });
  const { identities } = createStores(db);
  const before = new Set((await otherConnections(connection)).map(({ id }) => id));
  await fill(db);
  const old = (await otherConnections(connection)).map(({ id }) => id).filter((id) => !before.has(id));
  expect(old).toHaveLength(poolSize);
  expect(readPoolState(db)).toEqual({ used: 0, free: poolSize, pending: 0 });
  // The server is shared with other tests, so its error comes from a trigger.
  await connection.query(
    `CREATE TRIGGER read_only BEFORE INSERT ON partners FOR EACH ROW
     SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = 'as with --read-only'`,
  );
  const { partner } = newRows();
  await expect(identities.insertPartner(partner, signal)).rejects.toMatchObject({ code: "unavailable" });
  await connection.query("DROP TRIGGER read_only");
  await fill(db);
  const isOldThere = async () => (await otherConnections(connection)).some(({ id }) => old.includes(id));
  await expect.poll(isOldThere).toBe(false);
  await identities.insertPartner(partner, signal);
});
