// Deliveries of webhooks in MySQL: due endpoints, claims, and the removal of expired rows.

import type { Connection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import type { DueEndpoint, EndpointWork } from "../../domain/webhooks/deliveries.ts";
import { findEndpointState, lastAnsweredWords } from "../../domain/webhooks/endpoint.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { type DeliveriesKey, unblockFirst } from "./delivery-changes.ts";
import { dueEndpoints, endpointKeys, toKeys } from "./rows.ts";
import { type SettleContext, type Settled, settleAndClaim } from "./settle-and-claim.ts";

const statesPage = 1_000;

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export interface DeliveryState {
  /** Number of endpoints: enabled, failing, and disabled. */
  readonly endpoints: { readonly healthy: number; readonly down: number; readonly disabled: number };
  /** Age in seconds of the oldest logged event that a healthy endpoint has not reached; 0 if there is none. */
  readonly behindSeconds: number;
}

/** Deliveries, for processes that deliver. */
export function createDeliveryStore(db: Database) {
  return {
    /** Due endpoints, the longest waiting first: at most `limit` by whether they answered. */
    async listDueEndpoints(limit: number, signal: AbortSignal): Promise<readonly DueEndpoint[]> {
      const endpoints: DueEndpoint[] = [];
      for (const lastAnswered of lastAnsweredWords) {
        endpoints.push(...(await db.findAll(statements.listDueEndpoints, { lastAnswered, limit }, signal)));
      }
      return endpoints;
    },

    /** Settles claims that have ended, and claims further deliveries, in one transaction. */
    settleAndClaim(work: readonly EndpointWork[], context: SettleContext, signal: AbortSignal): Promise<Settled> {
      return db.runTransaction(signal, (connection) => settleAndClaim(connection, work, context));
    },

    /** Makes endpoints due that are behind their log although they are not marked as due. */
    wakeEndpoints(limit: number, signal: AbortSignal): Promise<void> {
      return db.runTransaction(signal, async (connection) => {
        const rows = await connection.findAll(statements.listBehind, { limit });
        const lockedRows = await connection.findAll(statements.lockEnabled, toKeys(rows.map(endpointKeys.fromRow)));
        await connection.execute(statements.wake, toKeys(lockedRows.map(endpointKeys.fromRow)));
      });
    },

    async readDeliveryState(signal: AbortSignal): Promise<DeliveryState> {
      const endpoints = { healthy: 0, down: 0, disabled: 0 };
      let behindSeconds = 0;
      let after = Buffer.alloc(16);
      for (;;) {
        const rows = await db.findAll(statements.listStates, { after, limit: statesPage }, signal);
        for (const { partner_id: partnerId, disabled_reason: disabledReason, failures, passed, behind } of rows) {
          endpoints[findEndpointState({ disabledReason, failures })] += 1;
          // The next number may have no event any more, because its session was erased.
          const isErased = passed !== null && behind === null;
          const next = isErased ? await db.findOne(statements.findNext, { partnerId, passed }, signal) : { behind };
          behindSeconds = Math.max(behindSeconds, Number(next?.behind ?? 0));
        }
        if (rows.length < statesPage) return { endpoints, behindSeconds };
        after = rows.at(-1)?.id;
      }
    },

    /** Removes at most `limit` attempts that can no longer be read. @returns whether there may be more */
    async deleteExpiredAttempts(limit: number, now: Date, signal: AbortSignal): Promise<boolean> {
      const rows = await db.findAll(statements.listExpiredAttempts, { limit, now }, signal);
      const attempts = rows.map((row) => [row.endpoint_id, row.id]);
      const partnerIds = rows.map((row) => row.partner_id);
      await db.write(statements.deleteAttempts, { attempts, partnerIds }, signal);
      return rows.length === limit;
    },

    /**
     * Removes deliveries of events that are no longer kept, and of deleted endpoints: of the endpoints after one, by id, until it
     * has looked at `limit` endpoints and rows.
     * @returns the endpoint to continue after; undefined: that was the last one
     */
    async deleteUnkeptDeliveries(after: string, limit: number, signal: AbortSignal): Promise<string | undefined> {
      for (let remaining = limit; remaining > 0; remaining -= 1) {
        const next = await db.findOne(statements.nextDelivery, { after }, signal);
        if (next === undefined) return undefined;
        const key = { partnerId: next.partner_id, endpointId: next.endpoint_id };
        const last = next.id === null ? Number.MAX_SAFE_INTEGER : (next.expired_sequence ?? 0);
        const deletedCount =
          next.sequence > last
            ? 0
            : await db.runTransaction(signal, (connection) => deleteUpTo(connection, key, last, limit));
        remaining -= deletedCount;
        if (deletedCount < limit) after = bytesToUuid(next.endpoint_id);
      }
      return after;
    },
  };
}

/** Removes deliveries of an endpoint up to a sequence, at most `limit`. @returns how many */
async function deleteUpTo(connection: Connection, key: DeliveriesKey, last: number, limit: number): Promise<number> {
  const rows = await connection.findAll(statements.listUnkept, { ...key, last, limit });
  const sequences = rows.map(({ sequence }) => sequence);
  await connection.execute(statements.deleteUnkept, { ...key, sequences });
  const resourceIds = rows.map((row) => row.resource_id);
  await unblockFirst(connection, key, resourceIds);
  return rows.length;
}

const isBehind = "w.disabled_reason IS NULL AND w.failures = 0 AND h.sequence > w.sequence";
const ageSeconds = "TIMESTAMPDIFF(MICROSECOND, e.recorded_at, NOW(3)) / 1000000";
export const statements = {
  listDueEndpoints: dueEndpoints.select`FROM webhook_endpoints FORCE INDEX (webhook_endpoints_due)
    WHERE last_answered = :lastAnswered AND due_at <= NOW(3) AND (claim_ends_at IS NULL OR claim_ends_at <= NOW(3))
    ORDER BY due_at LIMIT :limit`,
  // All of its values, so that the server can use the index.
  listBehind: sql`SELECT w.id, w.partner_id FROM webhook_endpoints AS w FORCE INDEX (webhook_endpoints_due)
    STRAIGHT_JOIN event_heads AS h FORCE INDEX (PRIMARY) ON h.partner_id = w.partner_id
    WHERE w.last_answered IN ('unknown', 'yes', 'no') AND (w.due_at IS NULL OR w.due_at > NOW(3)) AND w.disabled_reason IS NULL
      AND (w.paused_until IS NULL OR w.paused_until <= NOW(3)) AND (w.claim_ends_at IS NULL OR w.claim_ends_at <= NOW(3))
      AND h.sequence > w.sequence LIMIT :limit`,
  // A locked endpoint is being processed.
  lockEnabled: sql`SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (PRIMARY)
    WHERE id IN (:ids) AND partner_id IN (:partnerIds) AND disabled_reason IS NULL FOR UPDATE SKIP LOCKED`,
  wake: sql`UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET due_at = NOW(3)
    WHERE id IN (:ids) AND partner_id IN (:partnerIds)`,
  listStates: sql`SELECT w.id, w.partner_id, w.disabled_reason, w.failures,
      IF(${isBehind}, GREATEST(w.sequence, h.expired_sequence), NULL) AS passed,
      IF(${isBehind}, (SELECT ${ageSeconds} FROM events AS e FORCE INDEX (events_sequence)
       WHERE e.partner_id = w.partner_id AND e.sequence = GREATEST(w.sequence, h.expired_sequence) + 1), NULL) AS behind
    FROM webhook_endpoints AS w FORCE INDEX (PRIMARY)
    LEFT JOIN event_heads AS h FORCE INDEX (PRIMARY) ON h.partner_id = w.partner_id
    WHERE w.id > :after ORDER BY w.id LIMIT :limit`,
  findNext: sql`SELECT ${ageSeconds} AS behind FROM events AS e FORCE INDEX (events_sequence)
    WHERE e.partner_id = :partnerId AND e.sequence > :passed ORDER BY e.sequence LIMIT 1`,
  listExpiredAttempts: sql`SELECT endpoint_id, id, partner_id FROM webhook_attempts FORCE INDEX (webhook_attempts_expiry)
    WHERE expires_at < :now ORDER BY expires_at LIMIT :limit`,
  deleteAttempts: sql`DELETE webhook_attempts FROM webhook_attempts FORCE INDEX (PRIMARY)
    WHERE (endpoint_id, id) IN (:attempts) AND partner_id IN (:partnerIds)`,
  nextDelivery: sql`SELECT d.endpoint_id, d.partner_id, d.sequence, w.id, h.expired_sequence
    FROM webhook_deliveries AS d FORCE INDEX (PRIMARY)
    LEFT JOIN webhook_endpoints AS w FORCE INDEX (PRIMARY) ON w.partner_id = d.partner_id AND w.id = d.endpoint_id
    LEFT JOIN event_heads AS h FORCE INDEX (PRIMARY) ON h.partner_id = d.partner_id
    WHERE d.endpoint_id > :after ORDER BY d.endpoint_id, d.sequence LIMIT 1`,
  listUnkept: sql`SELECT sequence, resource_id FROM webhook_deliveries FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND sequence <= :last
    ORDER BY sequence LIMIT :limit FOR UPDATE`,
  deleteUnkept: sql`DELETE FROM webhook_deliveries
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND sequence IN (:sequences)`,
};
