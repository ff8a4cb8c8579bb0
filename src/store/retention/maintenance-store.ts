// Removing what has expired, in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { deleteByKeys, type KeyDelete, sql } from "../../database/statement.ts";
import { dayMs } from "../../kernel/environment.ts";

/** A process whose clock is ahead must not remove what others still use. */
const graceMs = dayMs;

/** What is removed from each table. */
export const deletes: readonly (KeyDelete & { readonly table: string })[] = [
  {
    table: "access_tokens",
    find: sql`SELECT hash FROM access_tokens FORCE INDEX (access_tokens_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: "DELETE FROM access_tokens WHERE hash IN (?)",
    listsOf: (rows) => [rows.map(({ hash }) => hash)],
  },
  ...["hosted_links", "hosted_browser_sessions", "report_links", "report_browser_sessions"].map((table) => ({
    table,
    find: sql`SELECT hash, partner_id FROM ${table} FORCE INDEX (${table}_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: `DELETE FROM ${table} WHERE hash IN (?) AND partner_id IN (?)`,
    listsOf: (rows: readonly RowDataPacket[]) => [rows.map(({ hash }) => hash), rows.map((row) => row.partner_id)],
  })),
];

/** The store of expired data. @param db a shard. @param whole the database of all shards, which has the tokens */
export function createMaintenanceStore(db: Knex, whole: Knex) {
  return {
    /**
     * Removes at most `limit` tokens, and as many links and browser sessions, that expired a day ago or earlier; returns
     * whether there may be more.
     */
    async deleteExpired(limit: number, now: Date, signal: AbortSignal): Promise<boolean> {
      const before = new Date(now.getTime() - graceMs);
      let isMore = false;
      for (const each of deletes) {
        const on = each.table === "access_tokens" ? whole : db;
        if ((await deleteByKeys(on, each, { limit, before }, signal)) === limit) isMore = true;
      }
      return isMore;
    },
  };
}
