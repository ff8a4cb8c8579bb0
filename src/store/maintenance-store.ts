// Removing what has expired, in MySQL.
import type { Knex } from "knex";
import type { MaintenanceStore } from "../domain/ports/maintenance.ts";
import { compile, write } from "./statement.ts";

/** The maintenance part of the Store port. */
export function createMaintenanceStore(db: Knex): MaintenanceStore {
  const statements = ["access_tokens", "hosted_links", "hosted_visits"].map((table) =>
    compile(db.raw(`DELETE FROM ${table} WHERE expires_at < ? ORDER BY expires_at LIMIT ?`, [":before", ":limit"])),
  );
  return {
    async deleteExpired(before, limit, signal) {
      let isMore = false;
      for (const statement of statements) {
        if ((await write(db, statement, { before, limit }, signal)) === limit) isMore = true;
      }
      return isMore;
    },
  };
}
