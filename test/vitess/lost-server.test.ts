// A MySQL server that is gone behind Vitess: its tablet answers, in words of its own.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Database, type DatabaseAddress } from "../../src/database/database.ts";
import { sql } from "../../src/database/statement.ts";
import { type Mysql97, startMysql97 } from "../support/databases/servers/mysql97.ts";
import { createDatabase } from "../support/databases/servers/server.ts";
import { signal } from "../support/deadline.ts";
import { startVtcombo, type Vtcombo } from "./vtcombo.ts";

const read = sql`SELECT n FROM t WHERE id = :key`;
const change = sql`UPDATE t SET n = n + 1 WHERE id = :key`;
const values = { key: 1 };

let mysql: Mysql97;
let vtcombo: Vtcombo;
let db: Database;
let shardAddress: DatabaseAddress;
beforeAll(async () => {
  const say = () => undefined;
  // A server of its own: that of the other tests has to live on.
  mysql = await startMysql97({ log: say, isAnother: true });
  vtcombo = await startVtcombo(mysql);
  const { url, connection } = await createDatabase({ url: vtcombo.url }, "shop");
  await connection.query("CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL)");
  await connection.query("INSERT INTO t (id, n) VALUES (1, 1)");
  connection.destroy();
  db = new Database({ address: { url }, poolSize: 4, warn: say });
  shardAddress = { url: Object.assign(new URL(url), { pathname: "/shop:0" }).href };
});
afterAll(async () => {
  await db.destroy();
  await vtcombo.stop();
  await mysql.stop();
});

test("a statement that Vitess does not understand is a defect", async () => {
  const nonsense = sql`SELECT FROM WHERE`;
  await expect(db.findAll(nonsense, {}, signal)).rejects.toMatchObject({ code: "ER_UNKNOWN_ERROR" });
});

test("a statement that Vitess rewrites so that a shard's tablet does not understand it is a defect", async () => {
  const shard = new Database({ address: shardAddress, poolSize: 1, warn: () => undefined });
  onTestFinished(() => shard.destroy());
  const deletion = sql`DELETE a FROM t AS a FORCE INDEX (PRIMARY) WHERE a.id = :key`;
  await expect(shard.write(deletion, { key: 2 }, signal)).rejects.toMatchObject({ code: "ER_UNKNOWN_ERROR" });
});

test("reads, writes and transactions, begun before or after, are unavailable and no defects", async () => {
  expect(await db.findAll(read, values, signal)).toEqual([{ n: 1 }]);
  const { promise: serverIsGone, resolve: isGone } = Promise.withResolvers<void>();
  const { promise: rowIsChanged, resolve: hasChanged } = Promise.withResolvers<void>();
  const transaction = db.runTransaction(signal, async (connection) => {
    await connection.execute(change, values);
    hasChanged();
    await serverIsGone;
    return connection.execute(change, values);
  });
  const refusal = expect(transaction).rejects.toMatchObject({ code: "unavailable" });
  await rowIsChanged;
  await mysql.stop();
  isGone();
  await refusal;
  await expect(db.findAll(read, values, signal)).rejects.toMatchObject({ code: "unavailable" });
  await expect(db.write(change, values, signal)).rejects.toMatchObject({ code: "unavailable" });
  const anew = db.runTransaction(signal, (connection) => connection.execute(change, values));
  await expect(anew).rejects.toMatchObject({ code: "unavailable" });
});
