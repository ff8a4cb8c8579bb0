// Vitess as deploy/vitess says: a keyspace on one shard, and one on four, all of them databases of one MySQL server.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { knownStatements } from "../support/databases/sent-statements.ts";
import { type Mysql97, startMysql97 } from "../support/databases/servers/mysql97.ts";
import { createDatabase } from "../support/databases/servers/server.ts";
import { createTemplates } from "../support/databases/templates.ts";
import { divided, shardDatabase, startVtcombo } from "./vtcombo.ts";

/** What each shard has one row of: how far its own log and its own counting have come. */
export const onEachShard: readonly string[] = ["event_position"];

export type Shards = Awaited<ReturnType<typeof startShards>>;

/** The tables that a keyspace's vschema names. */
export async function tablesOfKeyspace(
  keyspace: "global" | "assess",
  extent: "of the service" | "and the record of migrations" = "of the service",
): Promise<string[]> {
  const { tables } = JSON.parse(await readFile(join("deploy/vitess", keyspace, "vschema.json"), "utf8"));
  return Object.keys(tables).filter((table) => extent !== "of the service" || table !== "migrations");
}

/** Starts all of it, with empty tables. The vtgate knows tables and how they are divided, and no columns of them. */
export async function startShards() {
  await using servers = new AsyncDisposableStack();
  const mysql = await startMysql97({ log: () => undefined, isAnother: true });
  servers.defer(() => mysql.stop());
  const { tables, known, migrated } = await makeTables(mysql);
  const vtcombo = await startVtcombo(mysql, divided);
  servers.defer(() => vtcombo.stop());
  const vtgate = await createConnection(vtcombo.url);
  servers.defer(() => vtgate.end());
  const parts = servers.move();
  return {
    /** To the vtgate, without a keyspace. */
    vtgate,
    tables,
    known,
    migrated,
    stop: () => parts.disposeAsync(),
  };
}

/** Makes the tables of every shard, and learns the statements on a database that is not divided. */
async function makeTables({ url }: Mysql97) {
  const { migrated } = await createTemplates({ url });
  const statements = new Map(
    migrated.flatMap((sql): [string, string][] => {
      const [, table] = /^CREATE TABLE `(\w+)`/.exec(sql) ?? [];
      return table === undefined || table === "migrations" ? [] : [[table, sql]];
    }),
  );
  const { address, connection } = await createDatabase({ url }, "undivided");
  for (const sql of migrated) await connection.query(sql);
  const known = await knownStatements(address);
  for (const keyspace of ["global", "assess"] as const) {
    const own = await tablesOfKeyspace(keyspace);
    for (const shard of divided.keyspaces[keyspace] ?? []) {
      const database = shardDatabase(keyspace, shard);
      await connection.query("CREATE DATABASE ??", [database]);
      await connection.query("USE ??", [database]);
      for (const table of own) await connection.query(statements.get(table) ?? "");
    }
  }
  await connection.end();
  return {
    /** Every table of the migrations, and whether it has a column `partner_id`. */
    tables: new Map([...statements].map(([table, sql]) => [table, sql.includes("`partner_id` ")])),
    /** What the store sends to one server. */
    known,
    /** Statements that make the schema, as MySQL shows it after migrations without a vtgate. */
    migrated,
  };
}
