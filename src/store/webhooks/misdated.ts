// Times of deliveries that were written while the clock of the database was ahead: without a look at them, an endpoint gets
// nothing until they have come.
import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import { executeText, fetchRows, readRowsOf, sql } from "../../database/statement.ts";
import { longestPauseMs } from "../../domain/webhooks/delivery-policy.ts";
import { namesOf } from "./rows.ts";

/** A lease that ends later than this many of its durations from now was taken by a clock that was wrong. */
const longestShare = 2;

const misdated = (
  lease: string,
  pause: string,
) => `status = 'enabled' AND due_at > NOW(3) + INTERVAL ${lease} MICROSECOND
  AND (lease_id IS NOT NULL OR due_at > NOW(3) + INTERVAL ${pause} MICROSECOND)`;
const makeDue = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY)
  SET lease_id = NULL, due_at = NOW(3), rest_until = IF(rest_until > NOW(3) + INTERVAL ? MICROSECOND, NULL, rest_until)
  WHERE id IN (?) AND partner_id IN (?)`;
const retryNow = `UPDATE webhook_parked FORCE INDEX (webhook_parked_next) SET next_at = NOW(3)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND next_at > NOW(3) + INTERVAL ? MICROSECOND`;

/** The statements that find such endpoints. */
export const statements = {
  listMisdated: sql`SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (webhook_endpoints_due) 
    WHERE ${misdated(":lease", ":pause")} LIMIT :limit`,
  lockMisdated: `SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (PRIMARY)
    WHERE id IN (?) AND partner_id IN (?) AND ${misdated("?", "?")} FOR UPDATE SKIP LOCKED`,
};

/** Has at most `limit` such endpoints looked at now, and what is parked for them tried again. */
export async function freeMisdated(db: Knex, limit: number, leaseMs: number, signal: AbortSignal): Promise<void> {
  const [lease, pause] = [1000 * longestShare * leaseMs, 1000 * longestPauseMs];
  const found = await fetchRows(db, statements.listMisdated, { lease, pause, limit }, signal);
  if (found.length === 0) return;
  await inTransaction(db, signal, async (connection) => {
    const rows = await readRowsOf(connection, statements.lockMisdated, [...namesOf(found), lease, pause]);
    if (rows.length === 0) return;
    await executeText(connection, makeDue, [pause, ...namesOf(rows)]);
    await executeText(connection, retryNow, [...namesOf(rows), pause]);
  });
}
