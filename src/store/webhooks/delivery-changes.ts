// Rows of deliveries. Whoever changes one has locked its endpoint; without that lock it may be removed.
import type { Connection } from "mysql2";
import { execute, executeText, readTextRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { RowChanges } from "../../domain/webhooks/claims.ts";
import type { EndpointKey } from "../../domain/webhooks/endpoint.ts";

const deliveries = "webhook_deliveries FORCE INDEX (PRIMARY)";
const isNamed = "partner_id = :partnerId AND endpoint_id = :endpointId AND sequence = :sequence";
// A dead delivery begins anew, an open one stays as it is. The server assigns from left to right.
const add = `INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts)
  SELECT partner_id, ?, sequence, resource_id, type, 0 FROM events FORCE INDEX (events_sequence)
  WHERE partner_id = ? AND sequence IN (?)
  ON DUPLICATE KEY UPDATE webhook_deliveries.attempts = IF(webhook_deliveries.dead_at IS NULL, webhook_deliveries.attempts, 0),
    webhook_deliveries.dead_at = NULL`;
export const statements = {
  // If the event was requested again while it was sent, its row has another time, and stays. A tablet of Vitess that is named by its
  // shard refuses to delete with an index that is named.
  remove: sql`DELETE FROM webhook_deliveries WHERE ${isNamed} AND next_at = :dueAt`,
  save: sql`UPDATE ${deliveries} SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt
    WHERE ${isNamed} AND next_at <=> :dueAt`,
};
const findFirst = `SELECT MIN(sequence) AS sequence FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE resource_id IN (?) AND endpoint_id = ? AND partner_id = ? AND dead_at IS NULL GROUP BY resource_id`;
const free = `UPDATE ${deliveries} SET next_at = NOW(3)
  WHERE endpoint_id = ? AND partner_id = ? AND sequence IN (?) AND next_at IS NULL`;

/** Stores what a claim of an endpoint has changed. */
export async function storeChanges(
  connection: Connection,
  endpoint: EndpointKey,
  { outcomes, newRows }: RowChanges,
): Promise<void> {
  const name = { partnerId: uuidToBytes(endpoint.partnerId), endpointId: uuidToBytes(endpoint.id) };
  // Few: of failures, of retries, and behind those.
  const rows = outcomes.filter(({ dueAt, next }) => dueAt !== null || next !== undefined);
  const missingRows = [...newRows, ...rows.filter(({ dueAt }) => dueAt === null)];
  const sequences = missingRows.map(({ sequence }) => sequence);
  if (sequences.length > 0) await executeText(connection, add, [name.endpointId, name.partnerId, sequences]);
  for (const { sequence, dueAt, next } of rows) {
    const values = { ...name, sequence, dueAt, ...next };
    await execute(connection, next === undefined ? statements.remove : statements.save, values);
  }
  const lastOutcomes = rows.filter(({ next }) => next === undefined || next.deadAt !== null);
  const resourceIds = [...newRows, ...lastOutcomes].map(({ resourceId }) => uuidToBytes(resourceId));
  await freeFirst(connection, name, resourceIds);
}

/** Makes the first open delivery of each of the resources due if it waits for an earlier one. */
export async function freeFirst(
  connection: Connection,
  { partnerId, endpointId }: { readonly partnerId: Buffer; readonly endpointId: Buffer },
  resourceIds: readonly Buffer[],
): Promise<void> {
  if (resourceIds.length === 0) return;
  const first = await readTextRows(connection, findFirst, [resourceIds, endpointId, partnerId]);
  if (first.length === 0) return;
  await executeText(connection, free, [endpointId, partnerId, first.map(({ sequence }) => sequence)]);
}
