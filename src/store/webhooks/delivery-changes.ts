// The writes of a transaction of the deliverer to deliveries and attempts: one statement serves many endpoints.
import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2";
import { execute, executeText, readRowsOf, sql, uuidToBytes } from "../../database/statement.ts";
import type { EventName, LoggedEvent } from "../../domain/events/event.ts";
import { hasSucceeded, type SendResult } from "../../domain/webhooks/deliveries.ts";
import { attemptRetentionMs, claimMs, type OpenDelivery } from "../../domain/webhooks/delivery-outcome.ts";
import { codeOf } from "../../kernel/event-types.ts";

const insertAttempts = `INSERT INTO webhook_attempts
  (partner_id, endpoint_id, id, sequence, resource_id, type, attempt, at, status, error, took_ms, expires_at) VALUES ?`;
const removeDeliveries = `DELETE webhook_deliveries FROM webhook_deliveries FORCE INDEX (PRIMARY)
  WHERE (endpoint_id, sequence) IN (?) AND partner_id IN (?)`;
// MariaDB updates rows of one endpoint by the index, but scans all rows for several endpoints.
const claimDeliveries = `UPDATE webhook_deliveries FORCE INDEX (PRIMARY)
  SET claim_id = ?, next_at = NOW(3) + INTERVAL ? MICROSECOND
  WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)`;
const freeDeliveries = `UPDATE webhook_deliveries FORCE INDEX (PRIMARY) SET next_at = NOW(3)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)`;
// An existing delivery that is not dead stays as it is. The server assigns from left to right.
const insertDeliveries = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, claim_id) VALUES ?
  ON DUPLICATE KEY UPDATE attempts = IF(dead_at IS NULL, attempts, 0),
    next_at = IF(dead_at IS NULL, next_at, VALUES(next_at)),
    claim_id = IF(dead_at IS NULL, claim_id, VALUES(claim_id)), dead_at = NULL`;
const readWaiting = `SELECT partner_id, endpoint_id, resource_id, MIN(sequence) AS sequence
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE resource_id IN (?) AND endpoint_id IN (?) AND partner_id IN (?) AND next_at IS NULL AND dead_at IS NULL
  GROUP BY partner_id, endpoint_id, resource_id`;

export const statements = {
  saveDelivery: sql`UPDATE webhook_deliveries FORCE INDEX (PRIMARY)
    SET attempts = :attempts, next_at = :nextAt, dead_at = :deadAt, claim_id = NULL
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND sequence = :sequence`,
};

/** An endpoint by its name in columns. */
export interface EndpointRow {
  readonly partnerId: Buffer;
  readonly endpointId: Buffer;
}

interface DeliveryRow extends EndpointRow {
  readonly sequence: number;
}

interface ResourceRow extends EndpointRow {
  readonly resourceId: Buffer;
}

export interface NewAttempt extends Pick<SendResult, "status" | "error" | "tookMs"> {
  /** Ascending for each endpoint. */
  readonly id: number;
  readonly sequence: number;
  /** Null: it was of no single event. */
  readonly event: Pick<EventName, "resourceId" | "type"> | null;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly at: Date;
}

/** The writes of a transaction. */
export class DeliveryChanges {
  /** The claim id of this transaction's claims. */
  readonly claimId = randomUUID();
  /** Deliveries to remove. */
  readonly removed: DeliveryRow[] = [];
  /** Deliveries to save, which ends their claims. */
  readonly saved: (DeliveryRow & OpenDelivery)[] = [];
  /** Resources whose next delivery, waiting for an earlier one, may be sent. */
  readonly freed: ResourceRow[] = [];
  /** Existing deliveries to claim. */
  readonly claimed: DeliveryRow[] = [];
  readonly #attempts: unknown[][] = [];
  readonly #inserted: unknown[][] = [];

  addAttempt({ partnerId, endpointId }: EndpointRow, made: NewAttempt): void {
    const { id, sequence, event, attempt, at, status, error, tookMs } = made;
    const expiresAt = new Date(at.getTime() + attemptRetentionMs(hasSucceeded(made)));
    const subject = event === null ? [null, null] : [uuidToBytes(event.resourceId), codeOf(event.type)];
    this.#attempts.push([
      partnerId,
      endpointId,
      id,
      sequence,
      ...subject,
      attempt,
      at,
      status,
      error,
      tookMs,
      expiresAt,
    ]);
  }

  /** A new delivery: claimed until the given time, or waiting for an earlier one of its resource. */
  insert(
    { partnerId, endpointId }: EndpointRow,
    { sequence, resourceId, type }: LoggedEvent,
    claimEnd: Date | null,
  ): void {
    const claimId = claimEnd === null ? null : uuidToBytes(this.claimId);
    const about = [uuidToBytes(resourceId), codeOf(type), 0, claimEnd, claimId];
    this.#inserted.push([partnerId, endpointId, sequence, ...about]);
  }

  /** Writes the changes collected since the last call. */
  async write(connection: Connection): Promise<void> {
    const [removed, freed, claimed] = [this.removed.splice(0), this.freed.splice(0), this.claimed.splice(0)];
    const [attempts, inserted] = [this.#attempts.splice(0), this.#inserted.splice(0)];
    if (attempts.length > 0) await executeText(connection, insertAttempts, [attempts]);
    if (removed.length > 0) {
      const keys = removed.map(({ endpointId, sequence }) => [endpointId, sequence]);
      await executeText(connection, removeDeliveries, [keys, removed.map(({ partnerId }) => partnerId)]);
    }
    for (const delivery of this.saved.splice(0)) await execute(connection, statements.saveDelivery, { ...delivery });
    if (freed.length > 0) await freeNext(connection, freed);
    if (inserted.length > 0) await executeText(connection, insertDeliveries, [inserted]);
    for (const key of keysOf(claimed)) {
      await executeText(connection, claimDeliveries, [uuidToBytes(this.claimId), 1000 * claimMs, ...key]);
    }
  }
}

/** Makes the next delivery of each resource due that waits for an earlier one. */
export async function freeNext(connection: Connection, freed: readonly ResourceRow[]): Promise<void> {
  const keyOf = (endpointId: Buffer, resourceId: Buffer) => Buffer.concat([endpointId, resourceId]).toString("latin1");
  const wanted = new Set(freed.map(({ endpointId, resourceId }) => keyOf(endpointId, resourceId)));
  const lists = [
    freed.map(({ resourceId }) => resourceId),
    freed.map(({ endpointId }) => endpointId),
    freed.map(({ partnerId }) => partnerId),
  ];
  const rows = await readRowsOf(connection, readWaiting, lists);
  const next = rows.filter((row) => wanted.has(keyOf(row.endpoint_id, row.resource_id)));
  const keys = next.map((row) => ({ partnerId: row.partner_id, endpointId: row.endpoint_id, sequence: row.sequence }));
  for (const key of keysOf(keys)) await executeText(connection, freeDeliveries, key);
}

/** Partner, endpoint and sequences of each endpoint. */
function keysOf(deliveries: readonly DeliveryRow[]): [partnerId: Buffer, endpointId: Buffer, sequences: number[]][] {
  const byEndpoint = Map.groupBy(deliveries, ({ endpointId }) => endpointId.toString("latin1"));
  return [...byEndpoint.values()].flatMap((some) =>
    some.slice(0, 1).map(({ partnerId, endpointId }) => [partnerId, endpointId, some.map(({ sequence }) => sequence)]),
  );
}
