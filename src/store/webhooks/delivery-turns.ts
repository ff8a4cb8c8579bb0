// The transaction of the deliverer: it stores the results of deliveries, and claims further ones. It locks the rows of the
// endpoints, and without that lock a delivery may be removed, but not changed.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, fromRow, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import type { Claim, DueEndpoint, EndpointTurn, TurnContext } from "../../domain/webhooks/deliveries.ts";
import type { DisabledReason } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { DeliveryChanges } from "./delivery-changes.ts";
import { EndpointVisit } from "./endpoint-visit.ts";
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
const readOpenResources = `SELECT endpoint_id, resource_id FROM webhook_deliveries FORCE INDEX (webhook_deliveries_resource)
  WHERE resource_id IN (?) AND endpoint_id IN (?) AND partner_id IN (?) AND dead_at IS NULL`;
const readSecrets = `SELECT ${secretColumns} FROM webhook_secrets FORCE INDEX (webhook_secrets_endpoint)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND (expires_at IS NULL OR expires_at > NOW(3))
  ORDER BY created_at DESC, id DESC`;

export interface TurnsDone {
  readonly claims: readonly Claim[];
  /** Endpoints to which more may be sent right now. */
  readonly more: readonly DueEndpoint[];
  /** Endpoints by id that another transaction had locked: nothing was done for them. */
  readonly busy: ReadonlySet<string>;
  /** Ids of endpoints, one for each delivery that is given up. */
  readonly died: readonly string[];
  readonly disabled: readonly { readonly endpointId: string; readonly reason: DisabledReason }[];
}

/** Stores what was sent, and claims more. */
export async function takeTurns(
  connection: Connection,
  turns: readonly EndpointTurn[],
  context: TurnContext,
): Promise<TurnsDone> {
  const changes = new DeliveryChanges();
  const { visits, busy } = await lock(connection, turns, changes);
  const claimedOf = await readByEndpoint(connection, readClaimed, visits);
  for (const visit of visits) visit.settle(claimedOf.get(visit.endpoint.id) ?? [], context);
  await changes.write(connection);
  for (const visit of visits) await visit.read(connection);
  const openOf = await readOpen(connection, visits);
  for (const visit of visits) visit.claim(openOf.get(visit.endpoint.id) ?? new Set());
  await changes.write(connection);
  for (const visit of visits) await visit.save(connection);
  const sending = visits.filter(({ claimed }) => claimed.length > 0);
  const secretsOf = await readByEndpoint(connection, readSecrets, sending);
  const claims = sending.map(({ endpoint, health, claimed: deliveries }) => ({
    claimId: changes.claimId,
    endpoint: { ...endpoint, ...health },
    secrets: (secretsOf.get(endpoint.id) ?? []).map(fromRow<SealedSecret>),
    deliveries,
  }));
  const disabled = visits.flatMap(({ endpoint, health: { disabledReason: reason } }) =>
    reason === null || endpoint.disabledReason !== null ? [] : [{ endpointId: endpoint.id, reason }],
  );
  const more = visits.filter(({ hasMore }) => hasMore).map(({ endpoint, health }) => ({ ...endpoint, ...health }));
  return { claims, more, busy, died: visits.flatMap(({ endpoint, died }) => Array(died).fill(endpoint.id)), disabled };
}

async function lock(connection: Connection, turns: readonly EndpointTurn[], changes: DeliveryChanges) {
  const rows = await readRowsOf(connection, lockEndpoints, namesIn(turns));
  const rowOf = new Map(rows.map((row) => [bytesToUuid(row.id), row]));
  const missed = turns.filter(({ endpoint }) => !rowOf.has(endpoint.id));
  const others = missed.length === 0 ? [] : await readRowsOf(connection, readEndpoints, namesIn(missed));
  const heads = rows.length === 0 ? [] : await readRowsOf(connection, readHeads, [rows.map((row) => row.partner_id)]);
  const headOf = new Map(heads.map((row) => [bytesToUuid(row.partner_id), row]));
  const visits = turns.flatMap((turn) => {
    const row = rowOf.get(turn.endpoint.id);
    if (row === undefined) return [];
    // An endpoint that is no longer due was processed by another process.
    const isDue = row.due_at !== null && row.due_at <= row.now;
    if (turn.sent.length === 0 && !isDue) return [];
    const head = headOf.get(turn.endpoint.partnerId);
    const log = { head: head?.sequence ?? 0, expired: head?.expired_sequence ?? 0 };
    return [new EndpointVisit(row, turn, log, changes)];
  });
  return { visits, busy: new Set(others.map(({ id }) => bytesToUuid(id))) };
}

/** For each endpoint the resources of the log page that have a delivery which is not dead. */
async function readOpen(connection: Connection, visits: readonly EndpointVisit[]): Promise<Map<string, Set<string>>> {
  const reading = visits.filter(({ resourceIds }) => resourceIds.length > 0);
  if (reading.length === 0) return new Map();
  const ids = new Set(reading.flatMap(({ resourceIds }) => resourceIds));
  const rows = await readRowsOf(connection, readOpenResources, [[...ids].map(uuidToBytes), ...namesIn(reading)]);
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id: id }) => bytesToUuid(id));
  return new Map([...byEndpoint].map(([id, some]) => [id, new Set(some.map((row) => bytesToUuid(row.resource_id)))]));
}

/** Rows by their endpoints. */
async function readByEndpoint(
  connection: Connection,
  statement: string,
  visits: readonly EndpointVisit[],
): Promise<Map<string, RowDataPacket[]>> {
  if (visits.length === 0) return new Map();
  const rows = await readRowsOf(connection, statement, namesIn(visits));
  return Map.groupBy(rows, ({ endpoint_id: id }) => bytesToUuid(id));
}

function namesIn(some: readonly { readonly endpoint: { readonly id: string; readonly partnerId: string } }[]) {
  return [
    some.map(({ endpoint }) => uuidToBytes(endpoint.id)),
    some.map(({ endpoint }) => uuidToBytes(endpoint.partnerId)),
  ];
}
