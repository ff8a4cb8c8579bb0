// Removing what has expired, in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { deleteByKeys, type KeyDelete, sql } from "../../database/statement.ts";
import { dayMs } from "../../kernel/environment.ts";

/** A process whose clock is ahead must not remove what others still use. */
const graceMs = dayMs;

const toKeyLists = (rows: readonly RowDataPacket[]) => ({
  hashes: rows.map(({ hash }) => hash),
  partnerIds: rows.map((row) => row.partner_id),
});

/** What is removed from each table. */
export const deletes: readonly KeyDelete[] = [
  {
    find: sql`SELECT hash FROM access_tokens FORCE INDEX (access_tokens_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: sql`DELETE FROM access_tokens WHERE hash IN (:hashes)`,
    toKeyLists,
  },
  ...["hosted_links", "hosted_browser_sessions", "report_links", "report_browser_sessions"].map((table) => ({
    find: sql`SELECT hash, partner_id FROM ${table} FORCE INDEX (${table}_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: sql`DELETE FROM ${table} WHERE hash IN (:hashes) AND partner_id IN (:partnerIds)`,
    toKeyLists,
  })),
];

/** The store of expired data. */
export function createMaintenanceStore(db: Knex) {
  return {
    /**
     * Removes at most `limit` tokens, and as many links and browser sessions, that expired a day ago or earlier; returns
     * whether there may be more.
     */
    async deleteExpired(limit: number, now: Date, signal: AbortSignal): Promise<boolean> {
      const before = new Date(now.getTime() - graceMs);
      let isMore = false;
      for (const each of deletes) {
        if ((await deleteByKeys(db, each, { limit, before }, signal)) === limit) isMore = true;
      }
      return isMore;
    },
  };
}
