// The transaction of the deliverer: it stores the results of deliveries, and claims further ones. It locks the rows of the
// endpoints, and without that lock a delivery may be removed, but not changed.
import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2";
import { bytesToUuid, executeText, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import type { Claim, DueEndpoint, EndpointWork, SettleContext } from "../../domain/webhooks/deliveries.ts";
import type { DisabledReason, Endpoint, EndpointName } from "../../domain/webhooks/endpoint.ts";
import { eventColumns } from "../events/event-log.ts";
import { DeliveryChanges } from "./delivery-statements.ts";
import { EndpointBatch, pageSize } from "./endpoint-batch.ts";
import { attempts, endpointColumns, endpointProgress, hashed, newEndpoints, type Schedule, secrets } from "./rows.ts";

/** Deliveries read for an endpoint to find those that may be claimed. */
const maxPending = 8;

// By the primary key: claims lock by due time, changes lock by key, and the two could deadlock.
const lockEndpoints = `SELECT ${endpointColumns}, last_attempt, due_at, NOW(3) AS \`now\`
  FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id IN (?) FOR UPDATE SKIP LOCKED`;
const readEndpoints = `SELECT id FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id IN (?)`;
const readHeads = `SELECT partner_id, sequence, expired_sequence FROM event_heads FORCE INDEX (PRIMARY)
  WHERE partner_id IN (?)`;
const readClaimed = `SELECT endpoint_id, sequence, resource_id, attempts, next_at, claim_id
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_claim)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND claim_id IS NOT NULL`;
const insertAttempts = `INSERT INTO webhook_attempts (${attempts.columns}) VALUES ?`;
const readSecrets = `SELECT ${secrets.columns} FROM webhook_secrets FORCE INDEX (webhook_secrets_endpoint)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND (expires_at IS NULL OR expires_at > NOW(3))
  ORDER BY created_at DESC, id DESC`;
// One after the other for all endpoints: a limit for each needs a query of its own.
const readPending = `(SELECT partner_id, endpoint_id, sequence, resource_id, attempts, next_at, next_at <= NOW(3) AS is_due
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_next)
  WHERE partner_id = ? AND endpoint_id = ? AND next_at IS NOT NULL ORDER BY next_at, sequence LIMIT ${maxPending})`;
const readPage = `(SELECT ${eventColumns} FROM events FORCE INDEX (events_sequence)
  WHERE partner_id = ? AND sequence > ? ORDER BY sequence LIMIT ${pageSize})`;
const readEvents = `SELECT ${eventColumns} FROM events FORCE INDEX (events_sequence) WHERE (partner_id, sequence) IN (?)`;
const readOpen = `SELECT endpoint_id, resource_id FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE (resource_id, endpoint_id) IN (?) AND partner_id IN (?) AND dead_at IS NULL`;
// The rows are there, and locked.
const saveEndpoints = `INSERT INTO webhook_endpoints (${newEndpoints.columns}, ${endpointProgress.columns}) VALUES ?
  ON DUPLICATE KEY UPDATE ${endpointProgress.replacements}`;

export interface Settled {
  readonly claims: readonly Claim[];
  /** By the monotonic clock, before the commit: whoever changes one of these endpoints does so afterwards. */
  readonly claimedAt: number;
  /** Endpoints to which more may be sent right now. */
  readonly more: readonly DueEndpoint[];
  /** Endpoints by id that another transaction had locked: nothing was done for them. */
  readonly busy: ReadonlySet<string>;
  /** Ids of endpoints, one for each delivery that is given up. */
  readonly died: readonly string[];
  readonly disabled: readonly { readonly endpointId: string; readonly reason: DisabledReason }[];
}

/** Stores what was sent, and claims more. */
export async function settleAndClaim(
  connection: Connection,
  work: readonly EndpointWork[],
  context: SettleContext,
): Promise<Settled> {
  const rows = await readRowsOf(connection, lockEndpoints, namesIn(work));
  const rowOf = new Map(rows.map((row) => [bytesToUuid(row.id), row]));
  const missed = work.filter(({ endpoint }) => !rowOf.has(endpoint.id));
  const locked = missed.length === 0 ? [] : await readRowsOf(connection, readEndpoints, namesIn(missed));
  const heads = rows.length === 0 ? [] : await readRowsOf(connection, readHeads, [rows.map((row) => row.partner_id)]);
  const headOf = new Map(heads.map((row) => [bytesToUuid(row.partner_id), row]));
  const claimedOf = await readByEndpoint(connection, readClaimed, work);
  const claimId = randomUUID();
  const changes = new DeliveryChanges(connection, uuidToBytes(claimId));
  const isErased = async (partnerId: Buffer, sequence: number) =>
    (await readRowsOf(connection, readEvents, [[[partnerId, sequence]]])).length === 0;
  const batches: EndpointBatch[] = [];
  for (const { endpoint, sentDeliveries, room } of work) {
    const row = rowOf.get(endpoint.id);
    // An endpoint that is no longer due was processed by another process.
    const isDue = row !== undefined && row.due_at !== null && row.due_at <= row.now;
    if (row === undefined || (sentDeliveries.length === 0 && !isDue)) continue;
    const head = headOf.get(endpoint.partnerId);
    const log = { head: head?.sequence ?? 0, expired: head?.expired_sequence ?? 0 };
    const batch = new EndpointBatch(changes, row, log, room);
    await batch.settle(sentDeliveries, claimedOf.get(endpoint.id) ?? [], isErased, context);
    batches.push(batch);
  }
  await changes.store();
  const open = batches.filter(({ isOpen }) => isOpen);
  for (const { batch, about } of await readAhead(connection, open)) batch.claim(about);
  const stored = batches.map((batch) => batch.stored);
  const isMore = ({ dueAt, id }: Endpoint & Schedule) => dueAt !== null && dueAt <= rowOf.get(id)?.now;
  if (stored.length > 0) {
    const values = stored.map((endpoint) => [
      ...newEndpoints.toList(hashed(endpoint)),
      ...endpointProgress.toList(endpoint),
    ]);
    await executeText(connection, saveEndpoints, [values]);
  }
  await changes.store();
  const attemptRows = batches.flatMap((batch) => batch.attempts.map(attempts.toList));
  if (attemptRows.length > 0) await executeText(connection, insertAttempts, [attemptRows]);
  const sending = batches.filter(({ claimed }) => claimed.length > 0);
  const secretsOf = await readByEndpoint(connection, readSecrets, sending);
  const claims = sending.map(({ endpoint, claimed: deliveries }) => {
    const sealed = (secretsOf.get(endpoint.id) ?? []).map(secrets.fromRow);
    return { claimId, endpoint, secrets: sealed, deliveries };
  });
  const deadDeliveries = batches.flatMap(({ endpoint, died }) => Array<string>(died).fill(endpoint.id));
  const disabled = batches.flatMap(({ endpoint: { id: endpointId, disabledReason: reason } }) =>
    reason === null || rowOf.get(endpointId)?.disabled_reason !== null ? [] : [{ endpointId, reason }],
  );
  const busy = new Set(locked.map(({ id }) => bytesToUuid(id)));
  return { claims, claimedAt: context.monotonic(), more: stored.filter(isMore), busy, died: deadDeliveries, disabled };
}

/** Reads what endpoints need to claim deliveries, for all of them together. */
async function readAhead(connection: Connection, batches: readonly EndpointBatch[]) {
  const names = batches.map(({ endpoint }) => [endpoint.partnerId, endpoint.id].map(uuidToBytes));
  const pending = await readEach(connection, readPending, names);
  const due = pending.filter((row) => row.is_due === 1).map((row) => [row.partner_id, row.sequence]);
  // Endpoints of a partner often are at the same place of its log.
  const places = batches.flatMap(({ endpoint: { partnerId }, pageAfter }) =>
    pageAfter === undefined ? [] : ([[`${partnerId} ${pageAfter}`, [uuidToBytes(partnerId), pageAfter]]] as const),
  );
  const rows = due.length === 0 ? [] : await readRowsOf(connection, readEvents, [due]);
  rows.push(...(await readEach(connection, readPage, [...new Map(places).values()])));
  const logOf = Map.groupBy(
    rows.toSorted((one, other) => one.sequence - other.sequence),
    (row) => bytesToUuid(row.partner_id),
  );
  const pendingOf = Map.groupBy(pending, (row) => bytesToUuid(row.endpoint_id));
  const read = batches.map((batch) => {
    const { id, partnerId } = batch.endpoint;
    const log = new Map(logOf.get(partnerId)?.map((row) => [Number(row.sequence), row]));
    const page = batch.pageAfter === undefined ? undefined : batch.pageOf([...log.values()]);
    return { batch, pending: pendingOf.get(id) ?? [], log, page };
  });
  const fresh = read.flatMap(({ batch: { endpoint }, page }) =>
    (page?.events ?? []).map(({ resourceId }) => ({ endpoint, resourceId })),
  );
  const resources = fresh.map(({ endpoint, resourceId }) => [resourceId, endpoint.id].map(uuidToBytes));
  const openRows = fresh.length === 0 ? [] : await readRowsOf(connection, readOpen, [resources, partnersOf(fresh)]);
  const openOf = Map.groupBy(openRows, (row) => bytesToUuid(row.endpoint_id));
  return read.map(({ batch, ...about }) => {
    const open = new Set(openOf.get(batch.endpoint.id)?.map((row) => bytesToUuid(row.resource_id)));
    return { batch, about: { ...about, open } };
  });
}

/** The rows of one query for each of the values. */
async function readEach(connection: Connection, query: string, values: readonly (readonly unknown[])[]) {
  if (values.length === 0) return [];
  return await readRowsOf(connection, values.map(() => query).join(" UNION ALL "), values.flat());
}

interface OfEndpoint {
  readonly endpoint: EndpointName;
}

/** Rows by their endpoints. */
async function readByEndpoint(connection: Connection, statement: string, some: readonly OfEndpoint[]) {
  const rows = some.length === 0 ? [] : await readRowsOf(connection, statement, namesIn(some));
  return Map.groupBy(rows, ({ endpoint_id: id }) => bytesToUuid(id));
}

function namesIn(some: readonly OfEndpoint[]) {
  return [some.map(({ endpoint }) => uuidToBytes(endpoint.id)), partnersOf(some)];
}

function partnersOf(some: readonly OfEndpoint[]): Buffer[] {
  return some.map(({ endpoint }) => uuidToBytes(endpoint.partnerId));
}
