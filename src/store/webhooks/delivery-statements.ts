// The SQL of deliveries and attempts, for the deliverer. Whoever changes a delivery has locked its endpoint; without that lock
// it may be removed.
import type { Connection } from "mysql2";
import { execute, executeText, readRowsOf, sql } from "../../database/statement.ts";
import type { OpenDelivery } from "../../domain/webhooks/delivery-outcome.ts";

const deliveries = "webhook_deliveries FORCE INDEX (PRIMARY)";
const ofEndpoint = "partner_id = :partnerId AND endpoint_id = :endpointId";

/** Claim id that marks a delivery for which a redelivery was requested while it is being sent. */
export const redeliveryRequested = Buffer.alloc(16);

// An existing delivery that is not dead stays as it is. The server assigns from left to right.
const insertDeliveries = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, claim_id) VALUES ?
  ON DUPLICATE KEY UPDATE attempts = IF(dead_at IS NULL, attempts, 0),
    next_at = IF(dead_at IS NULL, next_at, VALUES(next_at)),
    claim_id = IF(dead_at IS NULL, claim_id, VALUES(claim_id)), dead_at = NULL`;
const save = sql`UPDATE ${deliveries} SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt, claim_id = NULL
  WHERE ${ofEndpoint} AND sequence = :sequence`;

/** A delivery, or the deliveries of a resource, of an endpoint. */
interface OfEndpoint {
  readonly partnerId: Buffer;
  readonly endpointId: Buffer;
}
export interface DeliveryName extends OfEndpoint {
  readonly sequence: number;
}
export interface ResourceDeliveries extends OfEndpoint {
  readonly resourceId: Buffer;
}

const byKeys = "(endpoint_id, sequence) IN (?) AND partner_id IN (?)";
const removeByKeys = `DELETE webhook_deliveries FROM ${deliveries} WHERE ${byKeys}`;
const claimByKeys = `UPDATE ${deliveries} SET next_at = ?, claim_id = ? WHERE ${byKeys}`;
const freeByKeys = `UPDATE ${deliveries} SET next_at = NOW(3) WHERE ${byKeys}`;
const findWaiting = `SELECT endpoint_id, MIN(partner_id) AS partner_id, MIN(sequence) AS sequence
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE (resource_id, endpoint_id) IN (?) AND partner_id IN (?) AND next_at IS NULL AND dead_at IS NULL
  GROUP BY resource_id, endpoint_id`;

/** Makes the next delivery of each resource due that waits for an earlier one. */
export async function freeNext(connection: Connection, some: readonly ResourceDeliveries[]): Promise<void> {
  if (some.length === 0) return;
  const resources = some.map(({ resourceId, endpointId }) => [resourceId, endpointId]);
  const waiting = await readRowsOf(connection, findWaiting, [resources, partnersOf(some)]);
  if (waiting.length === 0) return;
  const next = waiting.map((row) => ({
    partnerId: row.partner_id,
    endpointId: row.endpoint_id,
    sequence: row.sequence,
  }));
  await executeText(connection, freeByKeys, listsOf(next));
}

/** Changes of the deliveries of many endpoints, stored together. */
export class DeliveryChanges {
  readonly #connection: Connection;
  readonly #claimId: Buffer;
  #removed: DeliveryName[] = [];
  #claimed: DeliveryName[] = [];
  #claimEndsAt = new Date(0);
  #created: unknown[][] = [];
  #saved: (DeliveryName & OpenDelivery)[] = [];
  #ended: ResourceDeliveries[] = [];

  /** @param claimId of all deliveries that are claimed */
  constructor(connection: Connection, claimId: Buffer) {
    this.#connection = connection;
    this.#claimId = claimId;
  }

  remove(delivery: DeliveryName & ResourceDeliveries): void {
    this.#removed.push(delivery);
    this.#ended.push(delivery);
  }

  save(delivery: DeliveryName, state: OpenDelivery): void {
    this.#saved.push({ ...delivery, ...state });
  }

  /** Lets the next delivery of a resource begin: one that came before it is dead. */
  free(resource: ResourceDeliveries): void {
    this.#ended.push(resource);
  }

  /** @param endsAt the same for all of a transaction */
  claim(delivery: DeliveryName, endsAt: Date): void {
    this.#claimed.push(delivery);
    this.#claimEndsAt = endsAt;
  }

  /** @param endsAt of its claim; null: it waits for an earlier one of its resource */
  create(
    { partnerId, endpointId, sequence, resourceId }: DeliveryName & ResourceDeliveries,
    typeCode: number,
    endsAt: Date | null,
  ): void {
    const claimId = endsAt === null ? null : this.#claimId;
    this.#created.push([partnerId, endpointId, sequence, resourceId, typeCode, 0, endsAt, claimId]);
  }

  async store(): Promise<void> {
    const [connection, removed, claimed] = [this.#connection, this.#removed, this.#claimed];
    const [created, ended, saved] = [this.#created, this.#ended, this.#saved];
    [this.#removed, this.#claimed, this.#created, this.#ended, this.#saved] = [[], [], [], [], []];
    // Few: of failures, and an endpoint that fails is sent one at a time.
    for (const each of saved) await execute(connection, save, each);
    if (removed.length > 0) await executeText(connection, removeByKeys, listsOf(removed));
    if (claimed.length > 0) {
      await executeText(connection, claimByKeys, [this.#claimEndsAt, this.#claimId, ...listsOf(claimed)]);
    }
    if (created.length > 0) await executeText(connection, insertDeliveries, [created]);
    // Also those that were created just now.
    await freeNext(connection, ended);
  }
}

/** Of one delivery alone MariaDB would read the whole index to update it, so it is there twice. */
function listsOf(some: readonly DeliveryName[]): [unknown[][], Buffer[]] {
  const names = some.map(({ endpointId, sequence }) => [endpointId, sequence]);
  return [names.length === 1 ? [...names, ...names] : names, partnersOf(some)];
}

/** A partner may be there several times. */
function partnersOf(some: readonly OfEndpoint[]): Buffer[] {
  return some.map(({ partnerId }) => partnerId);
}
