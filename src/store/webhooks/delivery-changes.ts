// Changes of deliveries, stored together. Whoever changes a delivery has locked its endpoint; without that lock it may be
// removed.
import type { Connection } from "mysql2";
import { execute, executeText, readRowsOf, sql } from "../../database/statement.ts";
import type { OpenDelivery } from "../../domain/webhooks/delivery-outcome.ts";

const deliveries = "webhook_deliveries FORCE INDEX (PRIMARY)";
const byKeys = "(endpoint_id, sequence) IN (?) AND partner_id IN (?)";
const removeByKeys = `DELETE webhook_deliveries FROM ${deliveries} WHERE ${byKeys}`;
const claimByKeys = `UPDATE ${deliveries} SET next_at = ?, claim_id = ? WHERE ${byKeys}`;
const freeByKeys = `UPDATE ${deliveries} SET next_at = NOW(3) WHERE ${byKeys}`;
// An existing delivery that is not dead stays as it is. The server assigns from left to right.
const insertDeliveries = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, claim_id) VALUES ?
  ON DUPLICATE KEY UPDATE attempts = IF(dead_at IS NULL, attempts, 0),
    next_at = IF(dead_at IS NULL, next_at, VALUES(next_at)),
    claim_id = IF(dead_at IS NULL, claim_id, VALUES(claim_id)), dead_at = NULL`;
const save = sql`UPDATE ${deliveries} SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt, claim_id = NULL
  WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND sequence = :sequence`;
const findWaiting = `SELECT endpoint_id AS endpointId, MIN(partner_id) AS partnerId, MIN(sequence) AS sequence
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE (resource_id, endpoint_id) IN (?) AND partner_id IN (?) AND next_at IS NULL AND dead_at IS NULL
  GROUP BY resource_id, endpoint_id`;

/** Claim id of a delivery that is being sent, and is to be sent again after that. */
export const redeliveryClaim = Buffer.alloc(16);

/** The key of a delivery, with ids as bytes. */
interface DeliveryKey {
  readonly partnerId: Buffer;
  readonly endpointId: Buffer;
  readonly sequence: number;
}
export interface ChangedDelivery extends DeliveryKey {
  readonly resourceId: Buffer;
}

/** What is to be stored of deliveries. */
export interface DeliveryChanges {
  readonly removed: ChangedDelivery[];
  readonly saved: (ChangedDelivery & OpenDelivery)[];
  readonly claimed: ChangedDelivery[];
  /** Claimed ones, and others that wait for an earlier one of their resource. */
  readonly created: (ChangedDelivery & { readonly typeCode: number; readonly isClaimed: boolean })[];
}

/** Stores the changes, and empties them. @param claim of all deliveries that are claimed, and when it ends */
export async function storeChanges(
  connection: Connection,
  { removed, saved, claimed, created }: DeliveryChanges,
  claim: { readonly id: Buffer; readonly endsAt: Date },
): Promise<void> {
  const endedDeliveries = [...removed, ...saved.filter(({ deadAt }) => deadAt !== null)];
  // Few: of failures, and an endpoint that fails is sent one at a time.
  for (const each of saved.splice(0)) await execute(connection, save, each);
  await executeOn(connection, removeByKeys, [], removed.splice(0));
  await executeOn(connection, claimByKeys, [claim.endsAt, claim.id], claimed.splice(0));
  const rows = created
    .splice(0)
    .map(({ partnerId, endpointId, sequence, resourceId, typeCode, isClaimed }) => [
      ...[partnerId, endpointId, sequence, resourceId, typeCode, 0],
      ...(isClaimed ? [claim.endsAt, claim.id] : [null, null]),
    ]);
  if (rows.length > 0) await executeText(connection, insertDeliveries, [rows]);
  // Also those that were created just now.
  await freeNext(connection, endedDeliveries);
}

/** Makes the next delivery of each resource due that waits for one of these. */
export async function freeNext(connection: Connection, endedDeliveries: readonly ChangedDelivery[]): Promise<void> {
  if (endedDeliveries.length === 0) return;
  const resources = endedDeliveries.map(({ resourceId, endpointId }) => [resourceId, endpointId]);
  const next = await readRowsOf(connection, findWaiting, [
    resources,
    distinct(endedDeliveries.map((each) => each.partnerId)),
  ]);
  const keys = next.map(({ partnerId, endpointId, sequence }) => ({ partnerId, endpointId, sequence }));
  await executeOn(connection, freeByKeys, [], keys);
}

/** Runs a statement on deliveries by their keys. */
async function executeOn(
  connection: Connection,
  statement: string,
  values: readonly unknown[],
  some: readonly DeliveryKey[],
): Promise<void> {
  if (some.length === 0) return;
  const keys = some.map(({ endpointId, sequence }) => [endpointId, sequence]);
  // Of one delivery alone MariaDB would read the whole index to update it, so it is there twice.
  const lists = [keys.length === 1 ? [...keys, ...keys] : keys, distinct(some.map(({ partnerId }) => partnerId))];
  await executeText(connection, statement, [...values, ...lists]);
}

/** Each of the ids once: many of a list are of the same partner. */
export function distinct(ids: readonly Buffer[]): Buffer[] {
  return [...new Map(ids.map((id) => [id.toString("latin1"), id])).values()];
}
