// The SQL of usage, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";

/** What is counted, in the order of `saveCounts`. */
export const counters = ["created", "started", "completed", "cancelled", "expired", "erased"] as const;

const columns = `partner_id, DATE_FORMAT(day, '%Y-%m-%d') AS day_text, mode, ${counters.join(", ")}`;

/** As text, since a batch has as many rows as it has partners, days and modes. */
export const saveCounts = `INSERT INTO usage_days (partner_id, day, mode, ${counters.join(", ")}) VALUES ?
  ON DUPLICATE KEY UPDATE ${counters.map((name) => `${name} = ${name} + VALUES(${name})`).join(", ")}`;

/** Every statement of the store of usage. Bindings are names, `":name"`. */
export function usageStatements(db: Knex) {
  return {
    // Whoever has this row counts.
    lock: compile(db.raw("SELECT position, NOW(3) AS `now` FROM usage_position WHERE id = 1 FOR UPDATE")),
    // Of all partners: it is for the job that counts.
    listEvents: compile(
      db.raw(
        `SELECT position, partner_id, type, mode, occurred_at, recorded_at FROM events
         WHERE position > ? ORDER BY position LIMIT ?`,
        [":position", ":limit"],
      ),
    ),
    savePosition: compile(
      db.raw("UPDATE usage_position SET position = ?, counted_at = ? WHERE id = 1", [":position", ":countedAt"]),
    ),
    findCountedAt: compile(db.raw("SELECT counted_at FROM usage_position WHERE id = 1")),
    listOfPartner: compile(
      db.raw(
        `SELECT ${columns} FROM usage_days FORCE INDEX (PRIMARY)
         WHERE partner_id = ? AND day >= ? AND day < ? AND (day > ? OR mode > ?) ORDER BY day, mode LIMIT ?`,
        [":partnerId", ":from", ":until", ":afterDay", ":afterMode", ":limit"],
      ),
    ),
    // Of all partners: for operators.
    listOfAll: compile(
      db.raw(
        `SELECT ${columns} FROM usage_days FORCE INDEX (usage_days_day)
         WHERE day >= ? AND day < ? AND (day, partner_id, mode) > (?, ?, ?) ORDER BY day, partner_id, mode LIMIT ?`,
        [":from", ":until", ":afterDay", ":afterPartnerId", ":afterMode", ":limit"],
      ),
    ),
  };
}
