// All keyspaces of a vtgate as a database of tests. There is one, so files take turns, and find it empty.
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { isDivided, keyspaces } from "../../../../src/database/shards.ts";
import type { DatabaseServer, TestDatabase } from "./server.ts";

/** What stays: the schema's own record, and rows that there is one of. */
const keptTables = new Set(["migrations", "event_position"]);

/** The address of a vtgate with all its keyspaces; undefined for another server. */
export function dividedUrl(server: DatabaseServer): string | undefined {
  return "url" in server && isDivided(server) ? server.url : undefined;
}

/** Removes every row, as if only migrations had run. */
export async function emptyDivided(url: string): Promise<TestDatabase> {
  const connection = await createConnection(url);
  const [shards] = await connection.query<RowDataPacket[]>("SHOW VITESS_SHARDS");
  for (const { Shards } of shards) {
    const [keyspace = "", shard = ""] = String(Shards).split("/");
    // Tests make others of their own.
    if (keyspace !== keyspaces.undivided && keyspace !== keyspaces.divided) continue;
    await emptyShard(at(url, `${keyspace}:${shard}`), await tablesOf(url, keyspace));
  }
  return {
    address: { url },
    url,
    connection,
    openConnection: () => createConnection(url),
    openUndivided: () => createConnection(at(url, `${keyspaces.undivided}:0`)),
    drop: () => connection.end(),
  };
}

async function tablesOf(url: string, keyspace: string): Promise<string[]> {
  const connection = await createConnection(at(url, keyspace));
  const [rows] = await connection.query<RowDataPacket[]>("SHOW VSCHEMA TABLES");
  await connection.end();
  return rows.map((row) => String(Object.values(row)[0]));
}

async function emptyShard(url: string, tables: readonly string[]): Promise<void> {
  const connection = await createConnection(url);
  for (const table of tables) if (!keptTables.has(table)) await connection.query(`DELETE FROM ${table}`);
  if (tables.includes("event_position")) {
    await connection.query("UPDATE event_position SET position = 0, expired_position = 0");
  }
  await connection.end();
}

function at(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
