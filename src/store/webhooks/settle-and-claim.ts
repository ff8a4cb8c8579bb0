// The transaction of the deliverer: it stores the results of deliveries, and claims further ones. It locks the rows of the
// endpoints, and without that lock a delivery may be removed, but not changed.
import { randomUUID } from "node:crypto";
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, executeText, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { Claim, DueEndpoint, EndpointWork, SettleContext } from "../../domain/webhooks/deliveries.ts";
import { claimMs } from "../../domain/webhooks/delivery-outcome.ts";
import type { DisabledReason, Endpoint, EndpointName } from "../../domain/webhooks/endpoint.ts";
import { eventColumns, toEvents } from "../events/event-log.ts";
import { type DeliveryChanges, distinct, storeChanges } from "./delivery-changes.ts";
import { EndpointBatch, type PartnerLog, pageSize } from "./endpoint-batch.ts";
import { attempts, endpointColumns, endpointProgress, newEndpoints, type Schedule, secrets } from "./rows.ts";

/** Deliveries read for an endpoint to find those that may be claimed: all that are sent concurrently, and the next one. */
const maxPending = 5;

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
const readPending = `(SELECT endpoint_id, partner_id, sequence, resource_id, attempts, next_at, next_at <= NOW(3) AS is_due
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_next)
  WHERE partner_id = ? AND endpoint_id = ? AND next_at IS NOT NULL ORDER BY next_at, sequence LIMIT ${maxPending})`;
const readPage = `(SELECT ${eventColumns} FROM events FORCE INDEX (events_sequence)
  WHERE partner_id = ? AND sequence > ? ORDER BY sequence LIMIT ${pageSize})`;
const readEvents = `SELECT ${eventColumns} FROM events FORCE INDEX (events_sequence) WHERE (partner_id, sequence) IN (?)`;
const readOpen = `SELECT endpoint_id, resource_id FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE (resource_id, endpoint_id) IN (?) AND partner_id IN (?) AND dead_at IS NULL`;
// The rows are there, and locked: what is not the deliverer's to change is sent as it was read.
const insertedColumns = newEndpoints.columns.split(", ");
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
  const rows = await readLists(connection, lockEndpoints, namesOf(work));
  const rowOf = new Map(rows.map((row) => [bytesToUuid(row.id), row]));
  const missingWork = work.filter(({ endpoint }) => !rowOf.has(endpoint.id));
  const endpoints = await readLists(connection, readEndpoints, namesOf(missingWork));
  const heads = await readLists(connection, readHeads, [distinct(rows.map((row) => row.partner_id))]);
  const headOf = new Map(heads.map((row) => [bytesToUuid(row.partner_id), row]));
  const claimedOf = byEndpoint(await readLists(connection, readClaimed, namesOf(work)));
  const claimId = randomUUID();
  const claim = { id: uuidToBytes(claimId), endsAt: new Date(rows[0]?.now.getTime() + claimMs) };
  const changes: DeliveryChanges = { removed: [], saved: [], claimed: [], created: [] };
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
    const batch = new EndpointBatch(changes, row, log, room, claim.endsAt);
    await batch.settle(sentDeliveries, claimedOf.get(endpoint.id) ?? [], isErased, context);
    batches.push(batch);
  }
  await storeChanges(connection, changes, claim);
  await claimMore(
    connection,
    batches.filter(({ isOpen }) => isOpen),
  );
  await storeChanges(connection, changes, claim);
  const outcomes = batches.map((batch) => batch.stored);
  await insertAll(
    connection,
    saveEndpoints,
    outcomes.map((endpoint) => [
      ...insertedColumns.map((column) => rowOf.get(endpoint.id)?.[column]),
      ...endpointProgress.toList(endpoint),
    ]),
  );
  await insertAll(
    connection,
    insertAttempts,
    batches.flatMap((batch) => batch.attempts.map(attempts.toList)),
  );
  const sending = batches.filter(({ claimed }) => claimed.length > 0);
  const secretsOf = byEndpoint(await readLists(connection, readSecrets, namesOf(sending)));
  const isMore = ({ dueAt, id }: Endpoint & Schedule) => dueAt !== null && dueAt <= rowOf.get(id)?.now;
  return {
    claims: sending.map(({ endpoint, claimed: deliveries }) => {
      const sealedSecrets = (secretsOf.get(endpoint.id) ?? []).map(secrets.fromRow);
      return { claimId, endpoint, secrets: sealedSecrets, deliveries };
    }),
    claimedAt: context.monotonic(),
    more: outcomes.filter(isMore),
    busy: new Set(endpoints.map(({ id }) => bytesToUuid(id))),
    died: batches.flatMap(({ endpoint, died }) => Array<string>(died).fill(endpoint.id)),
    disabled: batches.flatMap(({ endpoint: { id: endpointId, disabledReason: reason } }) =>
      reason === null || rowOf.get(endpointId)?.disabled_reason !== null ? [] : [{ endpointId, reason }],
    ),
  };
}

/** Claims deliveries of endpoints, with what is read for all of them together. */
async function claimMore(connection: Connection, batches: readonly EndpointBatch[]): Promise<void> {
  const names = batches.map(({ endpoint }) => [endpoint.partnerId, endpoint.id].map(uuidToBytes));
  const pending = await readEach(connection, readPending, names);
  const due = pending.filter((row) => row.is_due === 1).map((row) => [row.partner_id, row.sequence]);
  // Endpoints of a partner often are at the same place of its log.
  const places = batches.flatMap(({ endpoint: { partnerId }, pageAfter }) =>
    pageAfter === undefined ? [] : ([[`${partnerId} ${pageAfter}`, [uuidToBytes(partnerId), pageAfter]]] as const),
  );
  const rows = await readLists(connection, readEvents, [due]);
  rows.push(...(await readEach(connection, readPage, [...new Map(places).values()])));
  const logOf = logsOf(rows);
  const pendingOf = byEndpoint(pending);
  const read = batches.map((batch) => {
    const log: PartnerLog = logOf.get(batch.endpoint.partnerId) ?? new Map();
    return { batch, log, page: batch.pageAfter === undefined ? undefined : batch.pageOf(log) };
  });
  const pairs = read.flatMap(({ batch: { endpoint }, page }) => {
    const endpointId = uuidToBytes(endpoint.id);
    const resources = new Set(page?.events.map(({ resourceId }) => resourceId));
    return [...resources].map((resourceId) => [uuidToBytes(resourceId), endpointId]);
  });
  const openOf = byEndpoint(await readLists(connection, readOpen, [pairs, namesOf(batches)[1]]));
  for (const { batch, log, page } of read) {
    const { id } = batch.endpoint;
    const open = new Set(openOf.get(id)?.map((row) => bytesToUuid(row.resource_id)));
    batch.claim({ pending: pendingOf.get(id) ?? [], log, page, open });
  }
}

/** The events of rows of the log, by partner. */
function logsOf(rows: readonly RowDataPacket[]): Map<string, PartnerLog> {
  const logs = new Map<string, Map<number, LoggedEvent | null>>();
  for (const row of rows.toSorted((one, other) => one.sequence - other.sequence)) {
    const [event = null] = toEvents([row]);
    const partnerId = event?.partnerId ?? bytesToUuid(row.partner_id);
    const log = logs.get(partnerId) ?? new Map();
    logs.set(partnerId, log.set(row.sequence, event));
  }
  return logs;
}

/** The rows of one query for each of the values. */
function readEach(connection: Connection, query: string, values: readonly (readonly unknown[])[]) {
  return readLists(connection, values.map(() => query).join(" UNION ALL "), values.flat());
}

/** The rows that a query finds; none if its first list is empty. */
async function readLists(connection: Connection, query: string, lists: readonly unknown[]): Promise<RowDataPacket[]> {
  const [first] = lists;
  const isEmpty = first === undefined || (Array.isArray(first) && first.length === 0);
  return isEmpty ? [] : await readRowsOf(connection, query, lists);
}

async function insertAll(connection: Connection, statement: string, rows: readonly unknown[][]): Promise<void> {
  if (rows.length > 0) await executeText(connection, statement, [rows]);
}

/** Rows by the ids of their endpoints. */
function byEndpoint(rows: readonly RowDataPacket[]): Map<string, RowDataPacket[]> {
  return Map.groupBy(rows, ({ endpoint_id: id }) => bytesToUuid(id));
}

/** The ids of endpoints, and of their partners. */
function namesOf(some: readonly { readonly endpoint: EndpointName }[]): [Buffer[], Buffer[]] {
  const partnerIds = new Set(some.map(({ endpoint }) => endpoint.partnerId));
  return [some.map(({ endpoint }) => uuidToBytes(endpoint.id)), [...partnerIds].map(uuidToBytes)];
}
