// The SQL of deliveries and attempts, for the deliverer. Whoever changes a delivery has locked its endpoint; without that lock
// it may be removed.
import type { Connection } from "mysql2";
import { execute, readRows, sql } from "../../database/statement.ts";

const deliveries = "webhook_deliveries FORCE INDEX (PRIMARY)";
const ofEndpoint = "partner_id = :partnerId AND endpoint_id = :endpointId";

/** Claim id that marks a delivery for which a redelivery was requested while it is being sent. */
export const redeliveryRequested = Buffer.alloc(16);

// An existing delivery that is not dead stays as it is. The server assigns from left to right.
export const insertDeliveries = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, claim_id) VALUES ?
  ON DUPLICATE KEY UPDATE attempts = IF(dead_at IS NULL, attempts, 0),
    next_at = IF(dead_at IS NULL, next_at, VALUES(next_at)),
    claim_id = IF(dead_at IS NULL, claim_id, VALUES(claim_id)), dead_at = NULL`;
/** The resources of a list that have a delivery which is not dead. */
export const readOpen = `SELECT resource_id FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE resource_id IN (?) AND endpoint_id = ? AND partner_id = ? AND dead_at IS NULL`;

export const statements = {
  listPending: sql`SELECT d.sequence AS pending_sequence, d.resource_id AS pending_resource_id, d.attempts, d.next_at,
      d.next_at <= NOW(3) AS is_due, e.position, e.partner_id, e.sequence, e.type, e.occurrence, e.resource_id,
      e.assessment_id, e.mode, e.occurred_at, e.recorded_at
    FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_next)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = d.partner_id AND e.sequence = d.sequence
    WHERE d.partner_id = :partnerId AND d.endpoint_id = :endpointId AND d.next_at IS NOT NULL
    ORDER BY d.next_at, d.sequence LIMIT :limit`,
  findWaiting: sql`SELECT sequence FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
    WHERE resource_id = :resourceId AND ${ofEndpoint} AND next_at IS NULL AND dead_at IS NULL ORDER BY sequence LIMIT 1`,
  free: sql`UPDATE ${deliveries} SET next_at = NOW(3) WHERE ${ofEndpoint} AND sequence = :sequence`,
  save: sql`UPDATE ${deliveries} SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt, claim_id = :claimId
    WHERE ${ofEndpoint} AND sequence = :sequence`,
  remove: sql`DELETE webhook_deliveries FROM ${deliveries} WHERE ${ofEndpoint} AND sequence = :sequence`,
  saveEndpoint: sql`UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET sequence = :sequence,
      claimed_sequence = :claimedSequence, last_attempt = :lastAttempt, failures = :failures,
      failing_since = :failingSince, replay_next = :replayNext, replay_until = :replayUntil, rest_until = :restUntil,
      disabled_reason = :disabledReason, answering = :answering, due_at = :dueAt
    WHERE partner_id = :partnerId AND id = :endpointId`,
};

/** Makes the next delivery of a resource due that waits for an earlier one. */
export async function freeNext(
  connection: Connection,
  name: { readonly partnerId: Buffer; readonly endpointId: Buffer },
  resourceId: Buffer,
): Promise<void> {
  const [next] = await readRows(connection, statements.findWaiting, { ...name, resourceId });
  if (next !== undefined) await execute(connection, statements.free, { ...name, sequence: next.sequence });
}
