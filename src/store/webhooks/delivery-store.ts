// Leases of webhook endpoints in MySQL, and what is read for deliveries.
import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { deleteByKeys } from "../../database/key-deletes.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { executeText, fetchRows, fetchRowsOf, readRows, readRowsOf, sql } from "../../database/statement.ts";
import { downAfter } from "../../domain/webhooks/delivery-policy.ts";
import type { DeliveryStore, DueEvent } from "../../domain/webhooks/delivery-port.ts";
import { toEvents } from "../events/rows.ts";
import { deleteUnkeptParked, expiredAttempts, expiryStatements } from "./expired-deliveries.ts";
import { saveReports } from "./lease-reports.ts";
import { freeMisdated } from "./misdated.ts";
import { endpointColumns, namesOf, secretColumns, toEndpoint, toSecret } from "./rows.ts";

const statesPage = 1_000;

// By the primary key: claims that lock by the time that is due, and saves by the key, would wait for each other.
const lockEndpoints = `SELECT ${endpointColumns} FROM webhook_endpoints FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id IN (?) AND due_at <= NOW(3) AND status = 'enabled' FOR UPDATE SKIP LOCKED`;
const leaseEndpoints = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY)
  SET lease_id = ?, due_at = NOW(3) + INTERVAL ? MICROSECOND
  WHERE id IN (?) AND partner_id IN (?)`;
const secretsOf = `SELECT ${secretColumns} FROM webhook_secrets FORCE INDEX (webhook_secrets_endpoint)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND (expires_at IS NULL OR expires_at > NOW(3))
  ORDER BY created_at DESC, id DESC`;
const readLeases = `SELECT id, lease_id, revision FROM webhook_endpoints FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id IN (?)`;
// A locked endpoint is being worked on, or its holder hangs: its lease ends then.
const lockAsleep = `SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id IN (?) AND status = 'enabled' AND lease_id IS NULL
    AND (due_at IS NULL OR due_at > NOW(3)) AND (rest_until IS NULL OR rest_until <= NOW(3)) FOR UPDATE SKIP LOCKED`;
const wake = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET due_at = NOW(3)
  WHERE id IN (?) AND partner_id IN (?)`;
const parkedResources = `SELECT DISTINCT resource_id FROM webhook_parked FORCE INDEX (webhook_parked_resource)
  WHERE resource_id IN (?) AND endpoint_id = ? AND partner_id = ? AND dead_at IS NULL`;

/** The webhook part of the Store port, as those use it who deliver. */
export function createDeliveryStore(db: Knex): DeliveryStore {
  return {
    claimEndpoints(limit, leaseMs, signal) {
      return inTransaction(db, signal, async (connection) => {
        const candidates = await readRows(connection, statements.listDue, { limit });
        const isEnd = candidates.length < limit;
        if (candidates.length === 0) return { endpoints: [], isEnd };
        const rows = await readRowsOf(connection, lockEndpoints, namesOf(candidates));
        if (rows.length === 0) return { endpoints: [], isEnd };
        const leaseId = randomUUID();
        await executeText(connection, leaseEndpoints, [uuidToBytes(leaseId), leaseMs * 1000, ...namesOf(rows)]);
        const found = await readRowsOf(connection, secretsOf, namesOf(rows));
        const secrets = Map.groupBy(found.map(toSecret), ({ endpointId }) => endpointId);
        const endpoints = rows
          .map(toEndpoint)
          .map((each) => ({ ...each, leaseId, secrets: secrets.get(each.id) ?? [] }));
        return { endpoints, isEnd };
      });
    },

    saveReports(reports, leaseMs, signal) {
      return inTransaction(db, signal, (connection) => saveReports(connection, reports, leaseMs));
    },

    async listLeases(endpoints, signal) {
      const ids = endpoints.map(({ id }) => uuidToBytes(id));
      const partnerIds = endpoints.map(({ partnerId }) => uuidToBytes(partnerId));
      const rows = await fetchRowsOf(db, readLeases, [ids, partnerIds], signal);
      const leased = rows.filter(({ lease_id }) => lease_id !== null);
      return new Map(
        leased.map(({ id, lease_id, revision }) => [bytesToUuid(id), { leaseId: bytesToUuid(lease_id), revision }]),
      );
    },

    async listDueParked({ id, partnerId }, limit, signal) {
      const values = { endpointId: uuidToBytes(id), partnerId: uuidToBytes(partnerId), limit };
      const rows = await fetchRows(db, statements.listDueParked, values, signal);
      return rows.map(toDueEvent).filter((due) => due !== undefined);
    },

    async findParkedResources({ id, partnerId }, resourceIds, signal) {
      if (resourceIds.length === 0) return new Set();
      const values = [resourceIds.map(uuidToBytes), uuidToBytes(id), uuidToBytes(partnerId)];
      const rows = await fetchRowsOf(db, parkedResources, values, signal);
      return new Set(rows.map(({ resource_id }) => bytesToUuid(resource_id)));
    },

    async wakeEndpoints(limit, leaseMs, signal) {
      await freeMisdated(db, limit, leaseMs, signal);
      await inTransaction(db, signal, async (connection) => {
        const behind = await readRows(connection, statements.listBehind, { limit });
        if (behind.length === 0) return;
        const asleep = await readRowsOf(connection, lockAsleep, namesOf(behind));
        if (asleep.length > 0) await executeText(connection, wake, namesOf(asleep));
      });
    },

    async readDeliveryState(signal) {
      const endpoints = { healthy: 0, down: 0, disabled: 0 };
      let behindSeconds = 0;
      let after = Buffer.alloc(16);
      for (;;) {
        const rows = await fetchRows(db, statements.listStates, { after, limit: statesPage }, signal);
        for (const { status, failures, behind } of rows) {
          endpoints[status === "disabled" ? "disabled" : failures >= downAfter ? "down" : "healthy"] += 1;
          behindSeconds = Math.max(behindSeconds, Number(behind ?? 0));
        }
        if (rows.length < statesPage) return { endpoints, behindSeconds };
        after = rows.at(-1)?.id;
      }
    },

    async deleteExpiredDeliveries(limit, now, signal) {
      const deleted = await deleteByKeys(db, expiredAttempts, { limit, now }, signal);
      const isMore = await deleteUnkeptParked(db, limit, signal);
      return isMore || deleted === limit;
    },
  };
}

export const statements = {
  listDue: sql`SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (webhook_endpoints_due)
    WHERE due_at <= NOW(3) ORDER BY due_at LIMIT :limit`,
  listDueParked: sql`SELECT p.sequence AS parked_sequence, p.resource_id AS parked_resource_id, p.attempts, e.position,
      e.partner_id, e.sequence, e.type, e.occurrence, e.resource_id, e.assessment_id, e.mode, e.occurred_at,
        e.recorded_at
    FROM webhook_parked AS p FORCE INDEX (webhook_parked_next)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = p.partner_id AND e.sequence = p.sequence
    WHERE p.partner_id = :partnerId AND p.endpoint_id = :endpointId AND p.next_at <= NOW(3)
    ORDER BY p.next_at LIMIT :limit`,
  listBehind: sql`SELECT w.id, w.partner_id FROM webhook_endpoints AS w FORCE INDEX (webhook_endpoints_due)
    STRAIGHT_JOIN event_heads AS h FORCE INDEX (PRIMARY) ON h.partner_id = w.partner_id
    WHERE (w.due_at IS NULL OR w.due_at > NOW(3)) AND w.status = 'enabled' AND w.lease_id IS NULL
      AND (w.rest_until IS NULL OR w.rest_until <= NOW(3)) AND h.sequence > w.sequence LIMIT :limit`,
  listStates: sql`SELECT w.id, w.status, w.failures, IF(w.status = 'enabled' AND w.failures = 0
      AND h.sequence > w.sequence,
      (SELECT TIMESTAMPDIFF(MICROSECOND, e.recorded_at, NOW(3)) / 1000000
       FROM events AS e FORCE INDEX (events_sequence)
       WHERE e.partner_id = w.partner_id AND e.sequence = GREATEST(w.sequence, h.expired_sequence) + 1), NULL) AS behind
    FROM webhook_endpoints AS w FORCE INDEX (PRIMARY)
    LEFT JOIN event_heads AS h FORCE INDEX (PRIMARY) ON h.partner_id = w.partner_id
    WHERE w.id > :after ORDER BY w.id LIMIT :limit`,
  ...expiryStatements,
};

/** Undefined: only a newer release knows its type. */
function toDueEvent(row: RowDataPacket): DueEvent | undefined {
  const [event] = row.position === null ? [] : toEvents([row]);
  if (row.position !== null && event === undefined) return undefined;
  return {
    sequence: row.parked_sequence,
    resourceId: bytesToUuid(row.parked_resource_id),
    attempts: row.attempts,
    event,
  };
}
