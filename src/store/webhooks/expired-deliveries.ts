// Removes expired attempts and deliveries.
import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import type { KeyDelete } from "../../database/key-deletes.ts";
import { executeText, fetchRows, readRowsOf, sql } from "../../database/statement.ts";
import { freeNext } from "./delivery-statements.ts";

const listUnkept = `SELECT sequence, resource_id FROM webhook_deliveries FORCE INDEX (PRIMARY)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence <= ? ORDER BY sequence LIMIT ? FOR UPDATE`;
const deleteUnkept = "DELETE FROM webhook_deliveries WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)";

const allSequences = Number.MAX_SAFE_INTEGER;

/** The statements that remove what has expired. */
export const expiryStatements = {
  listExpiredAttempts: sql`SELECT endpoint_id, id, partner_id FROM webhook_attempts FORCE INDEX (webhook_attempts_expiry)
    WHERE expires_at < :now ORDER BY expires_at LIMIT :limit`,
  nextDelivery: sql`SELECT endpoint_id, partner_id, sequence FROM webhook_deliveries FORCE INDEX (PRIMARY)
    WHERE endpoint_id > :after ORDER BY endpoint_id, sequence LIMIT 1`,
  findExpired: sql`SELECT h.expired_sequence FROM webhook_endpoints AS w
    LEFT JOIN event_heads AS h ON h.partner_id = w.partner_id WHERE w.partner_id = :partnerId AND w.id = :id`,
};

/** Attempts that can no longer be read. */
export const expiredAttempts: KeyDelete = {
  find: expiryStatements.listExpiredAttempts,
  remove: `DELETE webhook_attempts FROM webhook_attempts FORCE INDEX (PRIMARY)
    WHERE (endpoint_id, id) IN (?) AND partner_id IN (?)`,
  listsOf: (rows) => [rows.map((row) => [row.endpoint_id, row.id]), rows.map((row) => row.partner_id)],
};

/**
 * Removes found events that are no longer kept, and those of deleted endpoints, one endpoint after the other.
 * @returns whether there may be more
 */
export async function deleteUnkeptDeliveries(db: Knex, limit: number, signal: AbortSignal): Promise<boolean> {
  let left = limit;
  let after = Buffer.alloc(16);
  for (;;) {
    const [found] = await fetchRows(db, expiryStatements.nextDelivery, { after }, signal);
    if (found === undefined) return false;
    const name = { partnerId: found.partner_id, id: found.endpoint_id };
    after = name.id;
    const [endpoint] = await fetchRows(db, expiryStatements.findExpired, name, signal);
    const last = endpoint === undefined ? allSequences : (endpoint.expired_sequence ?? 0);
    if (found.sequence > last) continue;
    left -= await deleteUpTo(db, name, last, left, signal);
    if (left === 0) return true;
  }
}

async function deleteUpTo(
  db: Knex,
  { partnerId, id }: { readonly partnerId: Buffer; readonly id: Buffer },
  last: number,
  limit: number,
  signal: AbortSignal,
): Promise<number> {
  return inTransaction(db, signal, async (connection) => {
    const rows = await readRowsOf(connection, listUnkept, [partnerId, id, last, limit]);
    if (rows.length === 0) return 0;
    await executeText(connection, deleteUnkept, [partnerId, id, rows.map(({ sequence }) => sequence)]);
    const name = { partnerId, endpointId: id };
    for (const row of rows) await freeNext(connection, name, row.resource_id);
    return rows.length;
  });
}
