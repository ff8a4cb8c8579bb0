// Databases behind a vtgate of Vitess: tables of partners are on the shards of `assess`, all others in `global`.
// deploy/vitess says which table is where.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { onConnection } from "./connection.ts";
import type { DatabaseAddress } from "./database.ts";
import { executeText } from "./statement.ts";

export const undivided = "global";
export const divided = "assess";

/**
 * Whether the address is that of all keyspaces of a vtgate, `mysql://host:15306/@primary`: vtgate finds the keyspace of each
 * table.
 */
export function isDivided({ url }: DatabaseAddress): boolean {
  return new URL(url).pathname.startsWith("/@");
}

/** The address of one database behind the vtgate, such as `global` or the shard `assess:-40`. */
export function databaseAt(address: DatabaseAddress, database: string): DatabaseAddress {
  const url = new URL(address.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}

/** The address of a shard. Its statements go there unchanged, whatever rows they name. */
export function shardAt(address: DatabaseAddress, shard: string): DatabaseAddress {
  return databaseAt(address, `${divided}:${shard}`);
}

/** The names of the shards that serve, such as `-40` and `40-80`. Throws `unavailable`. */
export async function listShards(db: Knex, signal: AbortSignal): Promise<string[]> {
  const show = `SHOW VITESS_SHARDS LIKE '${divided}/%'`;
  const rows = (await onConnection(db, signal, (connection) => executeText(connection, show, []))) as RowDataPacket[];
  if (rows.length === 0) throw new Error(`the vtgate of DATABASE_URL has no keyspace ${divided}; see docs/scale.md`);
  return rows.map((row) => String(Object.values(row)[0]).slice(divided.length + 1)).toSorted();
}
