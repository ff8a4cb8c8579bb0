// Removing what has expired, in MySQL.

import type { Database } from "../../database/database.ts";
import { type Statement, sql } from "../../database/statement.ts";
import { dayMs } from "../../kernel/environment.ts";

/** A process whose clock is ahead must not remove what others still use. */
const graceMs = dayMs;

/** Statements that find rows of each table, and remove them. */
export const deletes: readonly { readonly find: Statement; readonly remove: Statement }[] = [
  {
    find: sql`SELECT hash FROM access_tokens FORCE INDEX (access_tokens_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: sql`DELETE FROM access_tokens WHERE hash IN (:hashes)`,
  },
  ...["hosted_links", "hosted_browser_sessions", "report_links", "report_browser_sessions"].map((table) => ({
    find: sql`SELECT hash, partner_id FROM ${table} FORCE INDEX (${table}_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: sql`DELETE FROM ${table} WHERE hash IN (:hashes) AND partner_id IN (:partnerIds)`,
  })),
];

/** The store of expired data. */
export function createMaintenanceStore(db: Database) {
  return {
    /**
     * Removes at most `limit` tokens, and as many links and browser sessions, that expired a day ago or earlier; returns
     * whether there may be more.
     */
    async deleteExpired(limit: number, now: Date, signal: AbortSignal): Promise<boolean> {
      const before = new Date(now.getTime() - graceMs);
      let isMore = false;
      for (const { find, remove } of deletes) {
        const rows = await db.findAll(find, { limit, before }, signal);
        const [hashes, partnerIds] = [rows.map(({ hash }) => hash), rows.map((row) => row.partner_id)];
        await db.write(remove, { hashes, partnerIds }, signal);
        if (rows.length === limit) isMore = true;
      }
      return isMore;
    },
  };
}
