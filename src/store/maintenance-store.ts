// Removing what has expired, in MySQL.
import type { Knex } from "knex";
import type { MaintenanceStore } from "../domain/ports/maintenance.ts";
import { compile, write } from "./statement.ts";

/** The maintenance part of the Store port. */
export function createMaintenanceStore(db: Knex): MaintenanceStore {
  // The clock of the database alone, and a day's grace: whose clock is ahead must not remove what others still use.
  const statements = ["access_tokens", "hosted_links", "hosted_visits", "report_links", "report_visits"].map((table) =>
    compile(
      db.raw(`DELETE FROM ${table} WHERE expires_at < NOW(3) - INTERVAL 1 DAY ORDER BY expires_at LIMIT ?`, [":limit"]),
    ),
  );
  return {
    async deleteExpired(limit, signal) {
      let isMore = false;
      for (const statement of statements) {
        if ((await write(db, statement, { limit }, signal)) === limit) isMore = true;
      }
      return isMore;
    },
  };
}
