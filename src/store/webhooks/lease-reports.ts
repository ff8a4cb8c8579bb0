// What became of leases, in one transaction for all that a process did.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { executeText, readRowsOf } from "../../database/statement.ts";
import { attemptRetentionMs } from "../../domain/webhooks/delivery-policy.ts";
import type { LeaseReport, ParkedRow, UnsavedReports } from "../../domain/webhooks/delivery-port.ts";
import { hasSucceeded } from "../../domain/webhooks/webhook-port.ts";
import { codeOf } from "../../kernel/event-types.ts";

/** An endpoint with more to do is due after this time, in which every process looks for endpoints. */
const handOverMs = 500;
/** Endpoints in one statement, which compares each of them with half of the others for each column. */
const updateBatch = 32;

// A locked one, whose holder may hang, does not keep the others waiting.
const lockLeases = `SELECT id, lease_id, failing_since, last_attempt, NOW(3) AS \`now\`
  FROM webhook_endpoints FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id IN (?) FOR UPDATE SKIP LOCKED`;
const readLeases = `SELECT id, lease_id FROM webhook_endpoints FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id IN (?)`;
const insertAttempts = `INSERT INTO webhook_attempts
  (partner_id, endpoint_id, id, sequence, resource_id, type, attempt, at, status, error, took_ms, expires_at) VALUES ?`;
const park = `INSERT INTO webhook_parked
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, dead_at) VALUES ?`;
const parkNew = `${park} ON DUPLICATE KEY UPDATE sequence = VALUES(sequence)`;
const parkTried = `${park} ON DUPLICATE KEY UPDATE attempts = VALUES(attempts), next_at = VALUES(next_at),
  dead_at = VALUES(dead_at)`;
const unpark = "DELETE FROM webhook_parked WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)";
const lockWaiting = `SELECT sequence FROM webhook_parked FORCE INDEX (webhook_parked_resource)
  WHERE resource_id = ? AND partner_id = ? AND endpoint_id = ? AND next_at IS NULL AND dead_at IS NULL
  ORDER BY sequence LIMIT 1 FOR UPDATE`;
const free = `UPDATE webhook_parked SET next_at = NOW(3)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence = ?`;
const readHeads = "SELECT partner_id, sequence FROM event_heads FORCE INDEX (PRIMARY) WHERE partner_id IN (?)";
const readNextTries = `SELECT endpoint_id, MIN(next_at) AS next_at FROM webhook_parked FORCE INDEX (webhook_parked_next)
  WHERE endpoint_id IN (?) AND partner_id IN (?) AND next_at IS NOT NULL GROUP BY endpoint_id`;

/** Stores the reports of leases that are still held, and tells of the others. */
export async function saveReports(
  connection: Connection,
  reports: readonly LeaseReport[],
  leaseMs: number,
): Promise<UnsavedReports> {
  const held = await holdersAmong(connection, lockLeases, reports);
  await insertRows(connection, insertAttempts, held.flatMap(attemptRows));
  await insertRows(
    connection,
    parkNew,
    held.flatMap(({ report }) => parkedRows(report, report.parked)),
  );
  await insertRows(
    connection,
    parkTried,
    held.flatMap(({ report }) => parkedRows(report, report.tried)),
  );
  for (const { report } of held) {
    const endpoint = { partnerId: uuidToBytes(report.endpoint.partnerId), id: uuidToBytes(report.endpoint.id) };
    const { partnerId, id } = endpoint;
    if (report.done.length > 0) await executeText(connection, unpark, [partnerId, id, report.done]);
    for (const freed of report.freedResourceIds) await freeNext(connection, endpoint, uuidToBytes(freed));
  }
  await updateEndpoints(connection, held, leaseMs);
  const saved = new Set(held.map(({ report }) => report));
  const unsaved = reports.filter((report) => !saved.has(report));
  const busy = await holdersAmong(connection, readLeases, unsaved);
  const busyIds = new Set(busy.map(({ report }) => report.endpoint.id));
  const lost = unsaved.map(({ endpoint }) => endpoint.id).filter((id) => !busyIds.has(id));
  return { lost: new Set(lost), busy: busyIds };
}

/** The reports whose lease is in its endpoint's row. */
async function holdersAmong(
  connection: Connection,
  sql: string,
  reports: readonly LeaseReport[],
): Promise<HeldReport[]> {
  if (reports.length === 0) return [];
  const ids = reports.map(({ endpoint }) => uuidToBytes(endpoint.id));
  const partnerIds = reports.map(({ endpoint }) => uuidToBytes(endpoint.partnerId));
  const rows = await readRowsOf(connection, sql, [ids, partnerIds]);
  const rowById = new Map(rows.map((row) => [bytesToUuid(row.id), row]));
  return reports.flatMap((report) => {
    const row = rowById.get(report.endpoint.id);
    return row?.lease_id?.equals(uuidToBytes(report.endpoint.leaseId)) ? [{ report, row }] : [];
  });
}

/** Lets the next event of a session, or of another resource, go that waits for one before it. */
export async function freeNext(
  connection: Connection,
  { partnerId, id }: EndpointRow,
  resourceId: Buffer,
): Promise<void> {
  const [next] = await readRowsOf(connection, lockWaiting, [resourceId, partnerId, id]);
  if (next !== undefined) await executeText(connection, free, [partnerId, id, next.sequence]);
}

/** An endpoint by its name. */
export interface EndpointRow {
  readonly partnerId: Buffer;
  readonly id: Buffer;
}

interface HeldReport {
  readonly report: LeaseReport;
  readonly row: RowDataPacket;
}

async function insertRows(connection: Connection, sql: string, rows: readonly unknown[][]): Promise<void> {
  if (rows.length > 0) await executeText(connection, sql, [rows]);
}

/** Numbered by their endpoint, whose row is locked. */
function attemptRows({ report: { endpoint, attempts }, row }: HeldReport): unknown[][] {
  return attempts.map((made, index) => {
    const id = row.last_attempt + 1 + index;
    const { sequence, event, attempt, at, status, error, tookMs } = made;
    const expiresAt = new Date(at.getTime() + attemptRetentionMs(hasSucceeded(made)));
    const subject = event === null ? [null, null] : [uuidToBytes(event.resourceId), codeOf(event.type)];
    const name = [uuidToBytes(endpoint.partnerId), uuidToBytes(endpoint.id), id];
    return [...name, sequence, ...subject, attempt, at, status, error, tookMs, expiresAt];
  });
}

function parkedRows({ endpoint }: LeaseReport, parked: readonly ParkedRow[]): unknown[][] {
  const name = [uuidToBytes(endpoint.partnerId), uuidToBytes(endpoint.id)];
  return parked.map(({ sequence, resourceId, type, attempts, nextAt, deadAt }) => [
    ...name,
    sequence,
    uuidToBytes(resourceId),
    codeOf(type),
    attempts,
    nextAt,
    deadAt,
  ]);
}

/** One statement for many endpoints: one for each would take three times as long. */
async function updateEndpoints(connection: Connection, held: readonly HeldReport[], leaseMs: number): Promise<void> {
  if (held.length === 0) return;
  const dueOf = await dueTimes(connection, held, leaseMs);
  const columns = held.map(({ report, row }) => {
    const { endpoint, sequence, failures, replay, restUntil, disabledReason, isOver } = report;
    const isReleased = isOver || disabledReason !== null;
    return {
      id: uuidToBytes(endpoint.id),
      partnerId: uuidToBytes(endpoint.partnerId),
      values: {
        sequence,
        last_attempt: row.last_attempt + report.attempts.length,
        failures,
        failing_since: failures === 0 ? null : (row.failing_since ?? row.now),
        replay_next: replay?.after ?? null,
        replay_until: replay?.until ?? null,
        rest_until: restUntil,
        status: disabledReason === null ? "enabled" : "disabled",
        disabled_reason: disabledReason,
        due_at: dueOf.get(endpoint.id) ?? null,
        lease_id: isReleased ? null : uuidToBytes(endpoint.leaseId),
      },
    };
  });
  for (let first = 0; first < columns.length; first += updateBatch) {
    await updateSome(connection, columns.slice(first, first + updateBatch));
  }
}

interface EndpointUpdate {
  readonly id: Buffer;
  readonly partnerId: Buffer;
  readonly values: Readonly<Record<string, unknown>>;
}

async function updateSome(connection: Connection, columns: readonly EndpointUpdate[]): Promise<void> {
  const names = Object.keys(columns[0]?.values ?? {});
  const assignments = names.map((name) => `${name} = CASE id ${"WHEN ? THEN ? ".repeat(columns.length)}END`);
  const sql = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET ${assignments.join(", ")}
    WHERE id IN (?) AND partner_id IN (?)`;
  const bindings = names.flatMap((name) => columns.flatMap(({ id, values }) => [id, values[name]]));
  const named = [columns.map(({ id }) => id), columns.map(({ partnerId }) => partnerId)];
  await executeText(connection, sql, [...bindings, ...named]);
}

/** When each endpoint is to be looked at next; nothing for those that have nothing to do. */
async function dueTimes(
  connection: Connection,
  held: readonly HeldReport[],
  leaseMs: number,
): Promise<ReadonlyMap<string, Date>> {
  const released = held.filter(({ report }) => report.isOver);
  const partnerIds = released.map(({ report }) => uuidToBytes(report.endpoint.partnerId));
  const heads = await readMap(connection, readHeads, [partnerIds], (row) => [row.partner_id, row.sequence]);
  const ids = released.map(({ report }) => uuidToBytes(report.endpoint.id));
  const nextTries = await readMap(connection, readNextTries, [ids, partnerIds], (row) => [
    row.endpoint_id,
    row.next_at,
  ]);
  return new Map(
    held.flatMap(({ report, row }): [string, Date][] => {
      const { id, partnerId } = report.endpoint;
      if (report.disabledReason !== null) return [];
      if (!report.isOver) return [[id, new Date(row.now.getTime() + leaseMs)]];
      if (report.restUntil !== null) return [[id, report.restUntil]];
      const isBehind = Number(heads.get(partnerId) ?? 0) > report.sequence;
      const isWorkLeft = isBehind || report.replay !== null;
      if (isWorkLeft) return [[id, new Date(row.now.getTime() + (report.isOutOfTime ? handOverMs : 0))]];
      const nextTry = nextTries.get(id);
      return nextTry instanceof Date ? [[id, nextTry]] : [];
    }),
  );
}

async function readMap<T>(
  connection: Connection,
  sql: string,
  lists: readonly (readonly Buffer[])[],
  entryOf: (row: RowDataPacket) => [Buffer, T],
): Promise<Map<string, T>> {
  if (lists[0]?.length === 0) return new Map();
  const rows = await readRowsOf(connection, sql, lists);
  return new Map(rows.map(entryOf).map(([id, value]) => [bytesToUuid(id), value]));
}
