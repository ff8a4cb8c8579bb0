// The transaction of the deliverer, for many endpoints: it settles claims that have ended, and claims further deliveries. It locks
// the rows of the endpoints.

import { randomUUID } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import type { Connection } from "../../database/connection.ts";
import { qualifyColumns, sql } from "../../database/statement.ts";
import {
  type EndpointView,
  findRange,
  isPaused,
  maxPage,
  type PendingDelivery,
  planClaim,
  settleClaim,
} from "../../domain/webhooks/claims.ts";
import type { Claim, DueEndpoint, EndpointWork } from "../../domain/webhooks/deliveries.ts";
import { claimMs, type OutcomeContext } from "../../domain/webhooks/delivery-outcome.ts";
import type { DisabledReason } from "../../domain/webhooks/endpoint.ts";
import { bytesToUuid, uuidToBytes } from "../../kernel/ids.ts";
import { loggedEvents } from "../events/event-log.ts";
import { storeChanges } from "./delivery-changes.ts";
import {
  attempts,
  endpointProgress,
  endpoints,
  type StoredAttempt,
  secrets,
  toKeys,
  toStoredAttempts,
} from "./rows.ts";

/** Deliveries with a time that are read for an endpoint. */
const maxPending = 5;

export const statements = {
  // By the primary key: claims lock by due time, changes lock by key, and the two could deadlock.
  lockEndpoints: sql`SELECT ${endpoints.columns}, last_attempt, claim_id, NOW(3) AS \`now\`,
      due_at <= NOW(3) AND (claim_ends_at IS NULL OR claim_ends_at <= NOW(3)) AS is_due
    FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id IN (:ids) AND partner_id IN (:partnerIds)
    FOR UPDATE SKIP LOCKED`,
  readEndpoints: sql`SELECT id FROM webhook_endpoints FORCE INDEX (PRIMARY)
    WHERE id IN (:ids) AND partner_id IN (:partnerIds)`,
  readHeads: sql`SELECT partner_id, sequence, expired_sequence FROM event_heads FORCE INDEX (PRIMARY)
    WHERE partner_id IN (:partnerIds)`,
  // One after the other for all endpoints: a limit for each needs a query of its own.
  readPending: sql`SELECT d.endpoint_id, d.sequence AS row_sequence, d.resource_id AS row_resource_id, d.attempts, d.next_at,
      d.next_at <= NOW(3) AS is_due, ${qualifyColumns("e", loggedEvents.columns)}
    FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_next)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = d.partner_id AND e.sequence = d.sequence
    WHERE d.partner_id = :partnerId AND d.endpoint_id = :id AND d.next_at IS NOT NULL
    ORDER BY d.next_at, d.sequence LIMIT ${maxPending}`,
  readPage: sql`SELECT :id AS endpoint_id, ${qualifyColumns("e", loggedEvents.columns)}, EXISTS (
      SELECT 1 FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_resource)
      WHERE d.resource_id = e.resource_id AND d.endpoint_id = :id AND d.partner_id = e.partner_id
        AND (d.dead_at IS NULL OR d.sequence = e.sequence)) AS has_row
    FROM events AS e FORCE INDEX (events_sequence)
    WHERE e.partner_id = :partnerId AND e.sequence > :after AND e.sequence <= :until
    ORDER BY e.sequence LIMIT ${maxPage}`,
  readSecrets: secrets.select`FROM webhook_secrets FORCE INDEX (webhook_secrets_endpoint)
    WHERE endpoint_id IN (:ids) AND partner_id IN (:partnerIds) AND (expires_at IS NULL OR expires_at > NOW(3))
    ORDER BY created_at DESC, id DESC`,
  insertAttempts: sql`INSERT INTO webhook_attempts (${attempts.columns}) VALUES :rows`,
  saveEndpoint: sql`UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET ${endpointProgress.assignments}
    WHERE partner_id = :partnerId AND id = :id`,
};

/** The time and the randomness of results; the database adds its own time. */
export type SettleContext = Omit<OutcomeContext, "databaseNow">;

export interface Settled {
  readonly claims: readonly Claim[];
  /** Endpoints to which more may be sent right now: none of them is claimed. */
  readonly dueEndpoints: readonly DueEndpoint[];
  /** Endpoints by id that another transaction had locked: nothing was done for them. */
  readonly lockedIds: ReadonlySet<string>;
  /** Ids of endpoints, one for each delivery that is given up. */
  readonly deadEndpointIds: readonly string[];
  readonly disabled: readonly { readonly endpointId: string; readonly reason: DisabledReason }[];
}

/** An endpoint that this transaction has locked, after its claim was settled. */
interface SettledEndpoint extends Omit<EndpointView, "pending"> {
  readonly attempts: readonly StoredAttempt[];
  readonly lastAttempt: number;
  readonly deadCount: number;
  /** Whether its last deliveries disabled it. */
  readonly isDisabledNow: boolean;
}

/** Settles what was sent, and claims more. */
export async function settleAndClaim(
  connection: Connection,
  work: readonly EndpointWork[],
  context: SettleContext,
): Promise<Settled> {
  const workKeys = toKeys(work.map(({ endpoint }) => endpoint));
  const rows = await connection.findAll(statements.lockEndpoints, workKeys);
  const rowByEndpoint = new Map(rows.map((row) => [bytesToUuid(row.id), row]));
  const missingKeys = work.flatMap(({ endpoint }) => (rowByEndpoint.has(endpoint.id) ? [] : [endpoint]));
  const lockedByOthers = await connection.findAll(statements.readEndpoints, toKeys(missingKeys));
  const heads = await connection.findAll(statements.readHeads, workKeys);
  const headByPartner = new Map(heads.map((row) => [bytesToUuid(row.partner_id), row]));
  const settledEndpoints: SettledEndpoint[] = [];
  for (const each of work) {
    const [row, head] = [rowByEndpoint.get(each.endpoint.id), headByPartner.get(each.endpoint.partnerId)];
    const settledEndpoint = row && (await settle(connection, each, row, head, context));
    if (settledEndpoint !== undefined) settledEndpoints.push(settledEndpoint);
  }
  const plans = await planClaims(connection, settledEndpoints);
  const claimId = randomUUID();
  for (const plan of plans) {
    const { endpoint, deliveries, lastAttempt, now } = plan;
    await storeChanges(connection, endpoint, plan);
    const claimEndsAt = deliveries.length === 0 ? null : new Date(now.getTime() + claimMs);
    const schedule = { claimId: claimEndsAt && claimId, claimEndsAt, dueAt: claimEndsAt ?? plan.dueAt };
    await connection.execute(
      statements.saveEndpoint,
      endpointProgress.toRow({ ...endpoint, lastAttempt, ...schedule }),
    );
  }
  const attemptRows = plans.flatMap((plan) => plan.attempts.map(attempts.toList));
  await connection.execute(statements.insertAttempts, { rows: attemptRows });
  const claimed = plans.filter(({ deliveries }) => deliveries.length > 0);
  const claimKeys = toKeys(claimed.map(({ endpoint }) => endpoint));
  const sealedSecrets = await connection.findAll(statements.readSecrets, claimKeys);
  return {
    claims: claimed.map((plan) => {
      return { ...plan, claimId, secrets: sealedSecrets.filter(({ endpointId }) => endpointId === plan.endpoint.id) };
    }),
    dueEndpoints: plans
      .filter(({ deliveries, dueAt, now }) => deliveries.length === 0 && dueAt !== null && dueAt <= now)
      .map(({ endpoint }) => endpoint),
    lockedIds: new Set(lockedByOthers.map(({ id }) => bytesToUuid(id))),
    deadEndpointIds: plans.flatMap(({ endpoint, deadCount }) => Array<string>(deadCount).fill(endpoint.id)),
    disabled: plans.flatMap(({ isDisabledNow, endpoint: { id: endpointId, disabledReason: reason } }) =>
      isDisabledNow && reason !== null ? [{ endpointId, reason }] : [],
    ),
  };
}

/** Settles the claim of an endpoint. @returns undefined if the endpoint is not due, or claimed by another process */
async function settle(
  connection: Connection,
  { endedClaim, connections }: EndpointWork,
  row: RowDataPacket,
  log: RowDataPacket | undefined,
  context: SettleContext,
): Promise<SettledEndpoint | undefined> {
  const now: Date = row.now;
  // If its claim ran out, and another process has claimed the endpoint, that one sends everything once more.
  const isOwn = endedClaim !== undefined && row.claim_id?.equals(uuidToBytes(endedClaim.claim.claimId)) === true;
  if (!isOwn && row.is_due !== 1) return undefined;
  const [head, expired]: [number, number] = [log?.sequence ?? 0, log?.expired_sequence ?? 0];
  const storedEndpoint = endpoints.fromRow(row);
  const settlement = isOwn
    ? settleClaim(storedEndpoint, endedClaim, { ...context, databaseNow: now })
    : { endpoint: storedEndpoint, outcomes: [], newRows: [] };
  await storeChanges(connection, settlement.endpoint, settlement);
  const isExpired = settlement.endpoint.sequence < expired;
  const endpoint = isExpired ? { ...settlement.endpoint, sequence: expired } : settlement.endpoint;
  const expiredAttempt = isExpired ? { at: now, sequence: expired } : undefined;
  const newAttempts = toStoredAttempts(endpoint, row.last_attempt, isOwn ? endedClaim.results : [], expiredAttempt);
  return {
    endpoint,
    head,
    connections,
    now,
    attempts: newAttempts,
    lastAttempt: row.last_attempt + newAttempts.length,
    deadCount: settlement.outcomes.filter(({ next }) => next !== undefined && next.deadAt !== null).length,
    isDisabledNow: storedEndpoint.disabledReason === null && endpoint.disabledReason !== null,
  };
}

/** Plans the claims of endpoints, with what is read for all of them together. */
async function planClaims(connection: Connection, settledEndpoints: readonly SettledEndpoint[]) {
  const open = settledEndpoints.filter(({ endpoint, now }) => !isPaused(endpoint, now));
  const keys = open.map(({ endpoint }) => endpoint);
  const pendingByEndpoint = groupByEndpoint(await connection.findEach(statements.readPending, keys));
  const views = settledEndpoints.map((each) => ({
    ...each,
    pending: (pendingByEndpoint.get(each.endpoint.id) ?? []).map(toPending),
  }));
  const ranges = views.flatMap((view) => {
    const range = findRange(view);
    return range === null ? [] : [{ ...view.endpoint, ...range }];
  });
  const pageByEndpoint = groupByEndpoint(await connection.findEach(statements.readPage, ranges));
  return views.map((view) => {
    const rows = pageByEndpoint.get(view.endpoint.id) ?? [];
    const page = rows.map((row) => ({ event: loggedEvents.fromRow(row), hasRow: row.has_row === 1 }));
    return { ...view, ...planClaim(view, page) };
  });
}

function toPending(row: RowDataPacket): PendingDelivery {
  const { row_sequence: sequence, attempts: before, next_at: nextAt, is_due: isDue } = row;
  const resourceId = bytesToUuid(row.row_resource_id);
  const event = row.type === null ? undefined : loggedEvents.fromRow(row);
  return { sequence, resourceId, attempts: before, nextAt, isDue: isDue === 1, event };
}

/** Rows by the ids of their endpoints. */
function groupByEndpoint(rows: readonly RowDataPacket[]): Map<string, RowDataPacket[]> {
  return Map.groupBy(rows, ({ endpoint_id: id }) => bytesToUuid(id));
}
