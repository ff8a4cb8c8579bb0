// Rows of deliveries. Callers hold the lock of the endpoint; without it rows may only be removed, and those that waited for
// them unblocked.
import type { Connection } from "../../database/connection.ts";
import { sql } from "../../database/statement.ts";
import type { RowChanges } from "../../domain/webhooks/claims.ts";
import type { EndpointKey } from "../../domain/webhooks/endpoint.ts";

const deliveries = "webhook_deliveries FORCE INDEX (PRIMARY)";
const byKey = "partner_id = :partnerId AND endpoint_id = :endpointId AND sequence = :sequence";
export const statements = {
  // A dead delivery begins anew, an open one stays as it is. The server assigns from left to right.
  add: sql`INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts)
    SELECT partner_id, :endpointId, sequence, resource_id, type, 0 FROM events FORCE INDEX (events_sequence)
    WHERE partner_id = :partnerId AND sequence IN (:sequences)
    ON DUPLICATE KEY UPDATE webhook_deliveries.attempts = IF(webhook_deliveries.dead_at IS NULL, webhook_deliveries.attempts, 0),
      webhook_deliveries.dead_at = NULL`,
  // If the event was requested again while it was sent, its row has another time, and stays. Tablets of Vitess that are
  // addressed by shard refuse to delete with an index that is named.
  remove: sql`DELETE FROM webhook_deliveries WHERE ${byKey} AND next_at = :dueAt`,
  save: sql`UPDATE ${deliveries} SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt
    WHERE ${byKey} AND next_at <=> :dueAt`,
  findFirst: sql`SELECT MIN(sequence) AS sequence FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
    WHERE resource_id IN (:resourceIds) AND endpoint_id = :endpointId AND partner_id = :partnerId AND dead_at IS NULL
    GROUP BY resource_id`,
  unblock: sql`UPDATE ${deliveries} SET next_at = NOW(3)
    WHERE endpoint_id = :endpointId AND partner_id = :partnerId AND sequence IN (:sequences) AND next_at IS NULL`,
};

/** The deliveries of an endpoint. */
export interface DeliveriesKey {
  readonly partnerId: string | Buffer;
  readonly endpointId: string | Buffer;
}

/** Stores what a claim of an endpoint has changed. */
export async function storeChanges(
  connection: Connection,
  { partnerId, id: endpointId }: EndpointKey,
  { outcomes, newRows }: RowChanges,
): Promise<void> {
  const key = { partnerId, endpointId };
  // Few rows: of failures, of retries, and of what waits behind those.
  const rows = outcomes.filter(({ dueAt, next }) => dueAt !== null || next !== undefined);
  const missingRows = [...newRows, ...rows.filter(({ dueAt }) => dueAt === null)];
  const sequences = missingRows.map(({ sequence }) => sequence);
  await connection.execute(statements.add, { ...key, sequences });
  for (const { sequence, dueAt, next } of rows) {
    const values = { ...key, sequence, dueAt, ...next };
    await connection.execute(next === undefined ? statements.remove : statements.save, values);
  }
  const lastOutcomes = rows.filter(({ next }) => next === undefined || next.deadAt !== null);
  const resourceIds = [...newRows, ...lastOutcomes].map(({ resourceId }) => resourceId);
  await unblockFirst(connection, key, resourceIds);
}

/** Makes the first open delivery of each of the resources due if it waits for an earlier one. */
export async function unblockFirst(
  connection: Connection,
  key: DeliveriesKey,
  resourceIds: readonly (string | Buffer)[],
): Promise<void> {
  const rows = await connection.findAll(statements.findFirst, { ...key, resourceIds });
  await connection.execute(statements.unblock, { ...key, sequences: rows.map(({ sequence }) => sequence) });
}
