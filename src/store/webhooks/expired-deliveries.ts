// What is left of deliveries when their time is over.
import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import { executeText, fetchRows, readRowsOf, sql } from "../../database/statement.ts";
import { freeNext } from "./lease-reports.ts";

const listParked = `SELECT sequence, resource_id FROM webhook_parked FORCE INDEX (PRIMARY)
  WHERE endpoint_id = ? AND sequence <= ? ORDER BY sequence LIMIT ? FOR UPDATE`;
const deleteParked = "DELETE FROM webhook_parked WHERE endpoint_id = ? AND sequence IN (?)";

/** Removes attempts that were found. */
export const deleteAttempts = "DELETE FROM webhook_attempts WHERE id IN (?)";

const allSequences = Number.MAX_SAFE_INTEGER;

/** The statements that remove what has expired. */
export const expiryStatements = {
  listExpiredAttempts: sql`SELECT id AS key_found FROM webhook_attempts FORCE INDEX (webhook_attempts_expiry)
    WHERE expires_at < :now ORDER BY expires_at LIMIT :limit`,
  nextParked: sql`SELECT endpoint_id, sequence FROM webhook_parked FORCE INDEX (PRIMARY)
    WHERE endpoint_id > :after ORDER BY endpoint_id, sequence LIMIT 1`,
  findExpired: sql`SELECT h.expired_sequence FROM webhook_endpoints AS w
    LEFT JOIN event_heads AS h ON h.partner_id = w.partner_id WHERE w.id = :id`,
};

/**
 * Removes parked events that are no longer kept, and those of endpoints that are gone, one endpoint after the other.
 * @returns whether there may be more
 */
export async function deleteUnkeptParked(db: Knex, limit: number, signal: AbortSignal): Promise<boolean> {
  let left = limit;
  let after = Buffer.alloc(16);
  for (;;) {
    const [parked] = await fetchRows(db, expiryStatements.nextParked, { after }, signal);
    if (parked === undefined) return false;
    after = parked.endpoint_id;
    const [endpoint] = await fetchRows(db, expiryStatements.findExpired, { id: after }, signal);
    const last = endpoint === undefined ? allSequences : (endpoint.expired_sequence ?? 0);
    if (parked.sequence > last) continue;
    left -= await deleteUpTo(db, after, last, left, signal);
    if (left === 0) return true;
  }
}

async function deleteUpTo(db: Knex, id: Buffer, last: number, limit: number, signal: AbortSignal): Promise<number> {
  return inTransaction(db, signal, async (connection) => {
    const rows = await readRowsOf(connection, listParked, [id, last, limit]);
    if (rows.length === 0) return 0;
    await executeText(connection, deleteParked, [id, rows.map(({ sequence }) => sequence)]);
    for (const { resource_id } of rows) await freeNext(connection, id, resource_id);
    return rows.length;
  });
}
