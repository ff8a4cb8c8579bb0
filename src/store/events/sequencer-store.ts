// The sequencer's transaction: moves events of marked sessions, and of the outbox, to the log.

import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { discard, onConnection } from "../../database/connection.ts";
import { endsWhenFrozen } from "../../database/database.ts";
import { isLockBusy, isLockTimeout } from "../../database/database-errors.ts";
import { bytesToUuid, execute, executeText, readRows, readRowsOf, sql, uuidToBytes } from "../../database/statement.ts";
import { resourceOf } from "../../kernel/event-types.ts";
import type { PublishedEvent } from "./event-batch.ts";
import { EventBatch } from "./event-batch.ts";
import { addSessions, findKnown, keyOf, lockSessions } from "./locked-sessions.ts";
import { outboxStatements, type PutEvent, readOutbox, readOutboxOf } from "./outbox.ts";

/** A position in the order of unannounced sessions: by the time of their last write, then by id. */
export interface UnpublishedPosition {
  readonly since: Date;
  readonly id: string;
}

/** The result of one transaction of the sequencer. */
export interface SequencerPass {
  /** When it began, by the database's clock. */
  readonly now: Date;
  /** The events that it added to the log. */
  readonly published: readonly PublishedEvent[];
  /** The last position that it read; undefined if there was none. */
  readonly last: UnpublishedPosition | undefined;
  /** Whether it read everything. */
  readonly isEnd: boolean;
}

/** The store of the sequencer. @param db a pool of its own: see `sequencerSettings` */
export function createSequencerStore(db: Knex) {
  return {
    /**
     * Adds unannounced events to the log: of sessions after the position, and of the outbox, at most `limit` of both, in one
     * transaction. Sessions that others have locked are left for later.
     * @returns undefined if another process is the sequencer
     */
    publish(after: UnpublishedPosition, limit: number, signal: AbortSignal): Promise<SequencerPass | undefined> {
      return onConnection(db, signal, async (connection) => {
        await connection.promise().beginTransaction();
        try {
          const log = await lockLog(connection);
          if (log === undefined) {
            await connection.promise().rollback();
            return undefined;
          }
          const { pass, partnerIds } = await publish(connection, log, after, limit);
          await connection.promise().commit();
          // Endpoints that are not woken here are found by the next sweep.
          if (partnerIds.length > 0) await wakeEndpoints(connection, partnerIds).catch(() => undefined);
          return pass;
        } catch (error) {
          // Closing the connection rolls back, and unlike a rollback it cannot fail.
          discard(connection);
          throw error;
        }
      });
    },
  };
}

export type SequencerStore = ReturnType<typeof createSequencerStore>;

/** A frozen process must not hold the log for long; rows that others lock are left for a later pass. */
export const sequencerSettings = [endsWhenFrozen, "SET SESSION innodb_lock_wait_timeout = 1"];

// Paused endpoints are due after their pause.
const isAsleep = "disabled_reason IS NULL AND (due_at IS NULL OR due_at > NOW(3))";

export const statements = {
  // The process that locks this row is the sequencer.
  lock: sql`SELECT position, NOW(3) AS \`now\` FROM event_position WHERE id = 1 FOR UPDATE NOWAIT`,
  // Reads the index only, without locks.
  candidates: sql`SELECT id, unpublished_since FROM sessions FORCE INDEX (sessions_unpublished)
    WHERE unpublished_since >= :since AND (unpublished_since > :since OR id > :id)
    ORDER BY unpublished_since, id LIMIT :limit`,
  ...outboxStatements,
  savePosition: sql`UPDATE event_position SET position = :position WHERE id = 1`,
  lockFree: `SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (webhook_endpoints_url)
    WHERE partner_id IN (?) AND ${isAsleep} FOR UPDATE SKIP LOCKED`,
};

const makeDue = "SET due_at = GREATEST(NOW(3), COALESCE(rest_until, NOW(3)))";
const wakeAll = `UPDATE webhook_endpoints FORCE INDEX (webhook_endpoints_url) ${makeDue}
  WHERE partner_id IN (?) AND ${isAsleep}`;
const wakeSome = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY) ${makeDue} WHERE id IN (?) AND partner_id IN (?)`;

/** Waits for transactions that save an endpoint: they may have checked for more too early. Not for long: they may be frozen. */
async function wakeEndpoints(connection: Connection, partnerIds: readonly Buffer[]): Promise<void> {
  try {
    await executeText(connection, wakeAll, [partnerIds]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await connection.promise().beginTransaction();
    const free = await readRowsOf(connection, statements.lockFree, [partnerIds]);
    if (free.length > 0) {
      await executeText(connection, wakeSome, [free.map(({ id }) => id), free.map((row) => row.partner_id)]);
    }
    await connection.promise().commit();
  }
}

interface LockedLog {
  readonly position: number;
  readonly now: Date;
}

/** Undefined: another process holds the lock. */
async function lockLog(connection: Connection): Promise<LockedLog | undefined> {
  try {
    const [row] = await readRows(connection, statements.lock, {});
    if (row === undefined) throw new Error("the log has no position; see docs/scale.md, if a shard was divided");
    return { position: row.position, now: row.now };
  } catch (error) {
    if (isLockBusy(error)) return undefined;
    throw error;
  }
}

async function publish(
  connection: Connection,
  { position, now }: LockedLog,
  after: UnpublishedPosition,
  limit: number,
): Promise<{ pass: SequencerPass; partnerIds: readonly Buffer[] }> {
  const from = { since: after.since, id: uuidToBytes(after.id), limit };
  const candidates = await readRows(connection, statements.candidates, from);
  const first = await readOutbox(connection, limit);
  const ofSessions = first.filter(isOfPresentSession).map(({ resourceId }) => resourceId);
  const locked = await lockSessions(connection, unique([...candidates.map(({ id }) => id), ...ofSessions]));
  // Nothing can be added to the outbox for a locked session: these events are complete.
  const others = first.filter(({ type }) => resourceOf(type) !== "session");
  const ofLocked = locked.map(({ id, partner_id: partnerId }) => ({ resourceId: id, partnerId }));
  const rest = await readOutboxOf(connection, [...ofLocked, ...others]);
  const outbox = [...new Map([...first, ...rest].map((event) => [keyOf(event.id), event])).values()];
  const batch = new EventBatch(position, now);
  const outboxOf = Map.groupBy(outbox.filter(isOfPresentSession), ({ resourceId }) => keyOf(resourceId));
  await addSessions(connection, locked, outboxOf, batch);
  addOthers(outbox, batch);
  const settled = await settledIn(connection, outbox, locked);
  for (const { id } of settled) await execute(connection, statements.clearOutbox, { id });
  await batch.insert(connection);
  if (batch.position > position) await execute(connection, statements.savePosition, { position: batch.position });
  const last = candidates.at(-1);
  const pass = {
    now,
    published: batch.published,
    last: last && { since: last.unpublished_since, id: bytesToUuid(last.id) },
    isEnd: candidates.length < limit && settled.length < limit,
  };
  return { pass, partnerIds: batch.partnerIds };
}

/** Whether the event is of a session that still exists: its row has to be locked, so that its events keep their order. */
function isOfPresentSession({ type }: PutEvent): boolean {
  return resourceOf(type) === "session" && type !== "session.erased";
}

/** Adds the events that are not of an existing session, in the order of time. */
function addOthers(outbox: readonly PutEvent[], batch: EventBatch): void {
  const others = outbox.filter((event) => !isOfPresentSession(event));
  others.sort((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
  for (const event of others) batch.add({ ...event, mode: null }, event.occurredAt);
}

/** What can leave the outbox: all but events of sessions that somebody is writing. Erased sessions get no further events. */
async function settledIn(
  connection: Connection,
  outbox: readonly PutEvent[],
  locked: readonly RowDataPacket[],
): Promise<PutEvent[]> {
  const lockedIds = new Set(locked.map(({ id }) => keyOf(id)));
  const isMissed = (event: PutEvent) => isOfPresentSession(event) && !lockedIds.has(keyOf(event.resourceId));
  const known = await findKnown(connection, outbox.filter(isMissed));
  return outbox.filter((event) => !isMissed(event) || !known.has(keyOf(event.resourceId)));
}

function unique(ids: readonly Buffer[]): Buffer[] {
  return [...new Map(ids.map((id) => [keyOf(id), id])).values()];
}
