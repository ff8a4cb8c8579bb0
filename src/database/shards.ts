// Databases behind a vtgate of Vitess: tables of partners are on the shards of one keyspace, all others in another one.
// deploy/vitess says which table is where.
import type { RowDataPacket } from "mysql2";
import type { Connection } from "./connection.ts";
import type { DatabaseAddress } from "./database.ts";
import { SettingError } from "./database-errors.ts";

export const keyspaces = { undivided: "global", divided: "assess" } as const;

/**
 * Whether the address is that of all keyspaces of a vtgate, `mysql://host:15306/@primary`: vtgate finds the keyspace of each
 * table.
 */
export function isDivided({ url }: DatabaseAddress): boolean {
  return new URL(url).pathname.startsWith("/@");
}

/** The database of a shard. Statements go there unchanged, whatever rows they name. */
export function toShardDatabase(shard: string): string {
  return `${keyspaces.divided}:${shard}`;
}

export function toShardAddress(address: DatabaseAddress, shard: string): DatabaseAddress {
  const url = new URL(address.url);
  url.pathname = `/${toShardDatabase(shard)}`;
  return { url: url.href };
}

/** The names of the shards that serve, such as `-40` and `40-80`. Rejects as the driver does, and without any. */
export async function listShards(connection: Connection): Promise<string[]> {
  const show = `SHOW VITESS_SHARDS LIKE '${keyspaces.divided}/%'`;
  const [rows] = await connection.driver.promise().query<RowDataPacket[]>(show);
  if (rows.length === 0) throw new SettingError(`The vtgate has no keyspace ${keyspaces.divided}; see docs/scale.md.`);
  return rows.map((row) => String(Object.values(row)[0]).slice(keyspaces.divided.length + 1)).toSorted();
}
