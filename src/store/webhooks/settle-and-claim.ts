// The transaction of the deliverer: it stores the results of deliveries, and claims further ones. It locks the rows of the
// endpoints, and without that lock a delivery may be removed, but not changed.
import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2";
import { bytesToUuid, executeText, fromRow, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import type { Claim, DueEndpoint, EndpointWork, SettleContext } from "../../domain/webhooks/deliveries.ts";
import type { DisabledReason, EndpointName } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { DeliveryChanges } from "./delivery-statements.ts";
import { EndpointBatch } from "./endpoint-batch.ts";
import { endpointColumns, secretColumns } from "./rows.ts";

// By the primary key: claims lock by due time, changes lock by key, and the two could deadlock.
const lockEndpoints = `SELECT ${endpointColumns}, last_attempt, due_at, NOW(3) AS \`now\`
  FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id IN (?) FOR UPDATE SKIP LOCKED`;
const readEndpoints = `SELECT id FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id IN (?)`;
const readHeads = `SELECT partner_id, sequence, expired_sequence FROM event_heads FORCE INDEX (PRIMARY)
  WHERE partner_id IN (?)`;
const readClaimed = `SELECT endpoint_id, sequence, resource_id, attempts, next_at, claim_id
  FROM webhook_deliveries FORCE INDEX (webhook_deliveries_claim)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND claim_id IS NOT NULL`;
const insertAttempts = `INSERT INTO webhook_attempts
  (partner_id, endpoint_id, id, sequence, resource_id, type, attempt, at, status, error, took_ms, expires_at) VALUES ?`;
const readSecrets = `SELECT ${secretColumns} FROM webhook_secrets FORCE INDEX (webhook_secrets_endpoint)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND (expires_at IS NULL OR expires_at > NOW(3))
  ORDER BY created_at DESC, id DESC`;

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
  const batches: EndpointBatch[] = [];
  for (const { endpoint, sentDeliveries, room } of work) {
    const row = rowOf.get(endpoint.id);
    // An endpoint that is no longer due was processed by another process.
    const isDue = row !== undefined && row.due_at !== null && row.due_at <= row.now;
    if (row === undefined || (sentDeliveries.length === 0 && !isDue)) continue;
    const head = headOf.get(endpoint.partnerId);
    const log = { head: head?.sequence ?? 0, expired: head?.expired_sequence ?? 0 };
    const batch = new EndpointBatch(connection, changes, row, log, room);
    await batch.settle(sentDeliveries, claimedOf.get(endpoint.id) ?? [], context);
    batches.push(batch);
  }
  await changes.store();
  const more: DueEndpoint[] = [];
  for (const batch of batches) {
    await batch.claim();
    if (await batch.save()) more.push(batch.endpoint);
  }
  await changes.store();
  const attempts = batches.flatMap((batch) => batch.attempts);
  if (attempts.length > 0) await executeText(connection, insertAttempts, [attempts]);
  const sending = batches.filter(({ claimed }) => claimed.length > 0);
  const secretsOf = await readByEndpoint(connection, readSecrets, sending);
  const claims = sending.map(({ endpoint, claimed: deliveries }) => {
    const secrets = (secretsOf.get(endpoint.id) ?? []).map(fromRow<SealedSecret>);
    return { claimId, endpoint, secrets, deliveries };
  });
  const deadDeliveries = batches.flatMap(({ endpoint, died }) => Array<string>(died).fill(endpoint.id));
  const disabled = batches.flatMap(({ endpoint: { id: endpointId, disabledReason: reason } }) =>
    reason === null || rowOf.get(endpointId)?.disabled_reason !== null ? [] : [{ endpointId, reason }],
  );
  const busy = new Set(locked.map(({ id }) => bytesToUuid(id)));
  return { claims, claimedAt: context.monotonic(), more, busy, died: deadDeliveries, disabled };
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
  return [
    some.map(({ endpoint }) => uuidToBytes(endpoint.id)),
    some.map(({ endpoint }) => uuidToBytes(endpoint.partnerId)),
  ];
}
