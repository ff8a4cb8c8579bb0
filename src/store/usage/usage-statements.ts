// The SQL of usage.
import { sql } from "../../database/statement.ts";

/** What is counted, in the order of `saveCounts`. */
export const counters = ["created", "started", "completed", "cancelled", "expired", "erased"] as const;

const columns = `partner_id, DATE_FORMAT(day, '%Y-%m-%d') AS day_text, mode, ${counters.join(", ")}`;

/** As text, since a batch has as many rows as it has partners, days and modes. */
export const saveCounts = `INSERT INTO usage_days (partner_id, day, mode, ${counters.join(", ")}) VALUES ?
  ON DUPLICATE KEY UPDATE ${counters.map((name) => `${name} = ${name} + VALUES(${name})`).join(", ")}`;

/** Every statement of the store of usage. */
export const usageStatements = {
  // Whoever has this row counts.
  lock: sql`SELECT position, NOW(3) AS \`now\` FROM usage_position WHERE id = 1 FOR UPDATE`,
  // Of all partners: it is for the job that counts.
  listEvents: sql`SELECT position, partner_id, type, mode, occurred_at, recorded_at FROM events
    WHERE position > :position ORDER BY position LIMIT :limit`,
  savePosition: sql`UPDATE usage_position SET position = :position, counted_at = :countedAt WHERE id = 1`,
  findCountedAt: sql`SELECT counted_at FROM usage_position WHERE id = 1`,
  listOfPartner: sql`SELECT ${columns} FROM usage_days FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND day >= :from AND day < :until
      AND (day > :afterDay OR mode > :afterMode) ORDER BY day, mode LIMIT :limit`,
  // Of all partners: for operators.
  listOfAll: sql`SELECT ${columns} FROM usage_days FORCE INDEX (usage_days_day)
    WHERE day >= :from AND day < :until
      AND (day, partner_id, mode) > (:afterDay, :afterPartnerId, :afterMode)
      ORDER BY day, partner_id, mode LIMIT :limit`,
};
