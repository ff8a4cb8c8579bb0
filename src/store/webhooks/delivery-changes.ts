// Rows of deliveries. Callers hold the lock of the endpoint; without it a row may only be removed. Of a resource no row is due
// before an earlier one: a retry takes those behind it along.
import type { Connection } from "../../database/connection.ts";
import { sql } from "../../database/statement.ts";
import type { RowChanges } from "../../domain/webhooks/claims.ts";
import type { EndpointKey } from "../../domain/webhooks/endpoint.ts";

const byKey = "partner_id = :partnerId AND endpoint_id = :endpointId AND sequence = :sequence";
// A dead delivery begins anew, an open one stays as it is. The server assigns from left to right.
const createAdd = (nextAt: string) => sql`INSERT INTO webhook_deliveries
    (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at)
  SELECT :partnerId, :endpointId, e.sequence, e.resource_id, e.type, 0, ${nextAt}
  FROM events AS e FORCE INDEX (events_sequence) WHERE e.partner_id = :partnerId AND e.sequence IN (:sequences)
  ON DUPLICATE KEY UPDATE webhook_deliveries.attempts = IF(webhook_deliveries.dead_at IS NULL, webhook_deliveries.attempts, 0),
    webhook_deliveries.next_at = COALESCE(webhook_deliveries.next_at, VALUES(next_at)), webhook_deliveries.dead_at = NULL`;

export const statements = {
  add: createAdd(":now"),
  addBehind: createAdd(`COALESCE((
    SELECT MAX(d.next_at) FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_resource)
    WHERE d.resource_id = e.resource_id AND d.endpoint_id = :endpointId AND d.partner_id = e.partner_id
      AND d.sequence < e.sequence), :now)`),
  // If the event was requested again while it was sent, its row has another time, and stays. Tablets of Vitess that are
  // addressed by shard refuse to delete with an index that is named.
  remove: sql`DELETE FROM webhook_deliveries WHERE ${byKey} AND next_at = :dueAt`,
  save: sql`UPDATE webhook_deliveries FORCE INDEX (PRIMARY) SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt
    WHERE ${byKey} AND next_at = :dueAt`,
  delayLater: sql`UPDATE webhook_deliveries FORCE INDEX (webhook_deliveries_resource) SET next_at = :nextAt
    WHERE resource_id = :resourceId AND endpoint_id = :endpointId AND partner_id = :partnerId
      AND sequence > :sequence AND next_at < :nextAt`,
};

/** Stores what a claim of an endpoint has changed. */
export async function storeChanges(
  connection: Connection,
  { partnerId, id: endpointId }: EndpointKey,
  { outcomes, newRows }: RowChanges,
  now: Date,
): Promise<void> {
  const key = { partnerId, endpointId };
  // Few rows: of failures, of retries, and of what waits behind those.
  const rows = outcomes.filter(({ dueAt, next }) => dueAt !== null || next !== undefined);
  const failures = rows.filter(({ dueAt }) => dueAt === null);
  await connection.execute(statements.add, { ...key, now, sequences: failures.map(({ sequence }) => sequence) });
  await connection.execute(statements.addBehind, { ...key, now, sequences: newRows.map(({ sequence }) => sequence) });
  for (const { sequence, resourceId, dueAt, next } of rows) {
    const values = { ...key, sequence, resourceId, dueAt: dueAt ?? now, ...next };
    const statement = next === undefined ? statements.remove : statements.save;
    const savedCount = await connection.write(statement, values);
    if (savedCount > 0 && next?.nextAt) await connection.execute(statements.delayLater, values);
  }
}
