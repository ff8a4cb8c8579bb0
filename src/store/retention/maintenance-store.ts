// Removing what has expired, in MySQL.
import type { Knex } from "knex";
import { deleteByKeys, type KeyDelete } from "../../database/key-deletes.ts";
import { sql } from "../../database/statement.ts";
import type { MaintenanceStore } from "../../domain/retention/maintenance-port.ts";
import { dayMs } from "../../kernel/timers.ts";

/** Whose clock is ahead must not remove what others still use. */
const graceMs = dayMs;

/** What is removed of each table. */
export const deletes = ["access_tokens", "hosted_links", "hosted_visits", "report_links", "report_visits"].map(
  (table): KeyDelete & { readonly table: string } => ({
    table,
    find: sql`SELECT hash AS key_found FROM ${table} FORCE INDEX (${table}_expiry)
      WHERE expires_at < :before ORDER BY expires_at LIMIT :limit`,
    remove: `DELETE FROM ${table} WHERE hash IN (?)`,
  }),
);

/** The maintenance part of the Store port. @param db a shard. @param whole the database of all shards, which has the tokens */
export function createMaintenanceStore(db: Knex, whole: Knex): MaintenanceStore {
  return {
    async deleteExpired(limit, now, signal) {
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
