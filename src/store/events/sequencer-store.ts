// The sequencer's transaction: moves the events of sessions, and of the outbox, to the log.

import type { RowDataPacket } from "mysql2";
import type { Connection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import { hasCode } from "../../database/database-errors.ts";
import { freezeTimeoutSetting } from "../../database/session-settings.ts";
import { sql } from "../../database/statement.ts";
import { type EventType, parseEventCode } from "../../domain/events/event-types.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { bytesToUuid, uuidToBytes } from "../../kernel/ids.ts";
import { countEvents } from "../usage/usage-store.ts";
import { addToLog, type LogEnd, type NewEvent } from "./event-log.ts";
import { maxDelayMinutes, parseUnpublished } from "./unpublished.ts";

export interface PublishedEvent {
  readonly type: EventType;
  /** The mode of the session; null if it is unknown. */
  readonly mode: SessionMode | null;
  /** Milliseconds from the write to the log. */
  readonly lagMs: number;
}

/** A position in the order of sessions with unpublished events: by the time from which these may be published, then by id. */
export interface UnpublishedPosition {
  readonly since: Date;
  readonly id: string;
}

/** The result of one transaction of the sequencer. */
export interface SequencerBatch {
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
export function createSequencerStore(db: Database) {
  return {
    /**
     * Adds unpublished events to the log: of sessions after the position, and of the outbox, at most `limit` of both, in one
     * transaction. Sessions that others have locked are left for later.
     * @returns undefined if another process is the sequencer
     */
    publish(after: UnpublishedPosition, limit: number, signal: AbortSignal): Promise<SequencerBatch | undefined> {
      return db.useConnection(signal, async (connection) => {
        const outcome = await connection.transact(async () => {
          const log = await lockLog(connection);
          return log && publish(connection, log, after, limit);
        });
        if (outcome === undefined) return undefined;
        const { batch, partnerIds } = outcome;
        // A frozen process may hold one of them for long. Endpoints that are not woken here are found by the sweep.
        if (partnerIds.length > 0)
          await connection.execute(statements.wakeEndpoints, { partnerIds }).catch(() => undefined);
        return batch;
      });
    },
  };
}

export type SequencerStore = ReturnType<typeof createSequencerStore>;

/** A frozen process must not hold the log for long; rows that others lock are left for a later batch. */
export const sequencerSettings = [freezeTimeoutSetting, "SET SESSION innodb_lock_wait_timeout = 1"];

// Paused endpoints are due after their pause.
const setDueAt = "SET due_at = GREATEST(NOW(3), COALESCE(paused_until, NOW(3)))";
const isIdle = "disabled_reason IS NULL AND (due_at IS NULL OR due_at > NOW(3))";

export const statements = {
  // The process that locks this row is the sequencer.
  lock: sql`SELECT position, NOW(3) AS \`now\` FROM event_position WHERE id = 1 FOR UPDATE NOWAIT`,
  // Reads the index only, without locks. Times further ahead come from a server whose clock was wrong.
  candidates: sql`SELECT id, unpublished_since FROM sessions FORCE INDEX (sessions_unpublished)
    WHERE unpublished_since >= :since AND (unpublished_since > :since OR id > :id)
      AND (unpublished_since <= NOW(3) OR unpublished_since > NOW(3) + INTERVAL ${maxDelayMinutes} MINUTE)
    ORDER BY unpublished_since, id LIMIT :limit`,
  readOutbox: sql`SELECT resource_id, partner_id, type, assessment_id, occurred_at FROM event_outbox
    WHERE resource_id > :after ORDER BY resource_id LIMIT :limit FOR UPDATE SKIP LOCKED`,
  // One by one: for a list of ids the servers may walk the whole table, and wait for erasures that are not committed yet.
  clearOutbox: sql`DELETE FROM event_outbox WHERE resource_id = :resourceId`,
  savePosition: sql`UPDATE event_position SET position = :position WHERE id = 1`,
  // By the primary key: through another index the servers would lock other sessions too.
  lockSessions: sql`SELECT id, partner_id, assessment_id, mode, unpublished, unpublished_since
    FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (:ids) FOR UPDATE SKIP LOCKED`,
  clearSessions: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET unpublished = '', unpublished_since = NULL
    WHERE id IN (:ids) AND partner_id IN (:partnerIds)`,
  // Waits for transactions that save an endpoint: they may have checked for more too early.
  wakeEndpoints: sql`UPDATE webhook_endpoints FORCE INDEX (webhook_endpoints_partner) ${setDueAt}
    WHERE partner_id IN (:partnerIds) AND ${isIdle}`,
};

/** Undefined: another process holds the lock. */
async function lockLog(connection: Connection): Promise<LogEnd | undefined> {
  try {
    const [row] = await connection.findAll(statements.lock, {});
    if (row === undefined) throw new Error("the log has no position; see docs/scale.md, if a shard was divided");
    return { position: row.position, now: row.now };
  } catch (error) {
    // MariaDB reports a locked row with the code of a lock timeout.
    if (hasCode(error, "ER_LOCK_NOWAIT", "ER_LOCK_WAIT_TIMEOUT")) return undefined;
    throw error;
  }
}

/** Adds what is unpublished to the log. @returns the batch, and the ids of the partners with events in it */
async function publish(connection: Connection, log: LogEnd, after: UnpublishedPosition, limit: number) {
  const { now } = log;
  const from = { since: after.since, id: uuidToBytes(after.id), limit };
  const candidates = await connection.findAll(statements.candidates, from);
  const sessions = candidates.length === 0 ? [] : await lockSessions(connection, candidates);
  const outbox = await connection.findAll(statements.readOutbox, { after: Buffer.alloc(16), limit });
  const addedEvents = [
    ...sessions.map((row) => ({ writtenAt: row.unpublished_since, events: toSessionEvents(row) })),
    ...outbox
      .map((row) => ({ writtenAt: row.occurred_at, events: [toOutboxEvent(row)] }))
      .toSorted((one, other) => one.writtenAt.getTime() - other.writtenAt.getTime()),
  ];
  const newEvents = addedEvents.flatMap((each) => each.events);
  let partnerIds: readonly Buffer[] = [];
  if (newEvents.length > 0) {
    const ids = sessions.map(({ id }) => id);
    const sessionPartnerIds = sessions.map((row) => row.partner_id);
    await connection.execute(statements.clearSessions, { ids, partnerIds: sessionPartnerIds });
    for (const { resource_id: resourceId } of outbox) await connection.execute(statements.clearOutbox, { resourceId });
    partnerIds = await addToLog(connection, log, newEvents);
    await countEvents(connection, newEvents);
    await connection.execute(statements.savePosition, { position: log.position + newEvents.length });
  }
  const last = candidates.at(-1);
  const batch: SequencerBatch = {
    now,
    published: addedEvents.flatMap(({ writtenAt, events }) =>
      events.map(({ typeCode, mode }) => ({
        type: parseEventCode(typeCode),
        mode,
        lagMs: Math.max(0, now.getTime() - writtenAt.getTime()),
      })),
    ),
    last: last && { since: last.unpublished_since, id: bytesToUuid(last.id) },
    isEnd: candidates.length < limit && outbox.length < limit,
  };
  return { batch, partnerIds };
}

/** Locks those of the sessions that exist and are not locked by others. @returns their rows, in the order given */
async function lockSessions(connection: Connection, sessions: readonly RowDataPacket[]): Promise<RowDataPacket[]> {
  const rows = await connection.findAll(statements.lockSessions, { ids: sessions.map(({ id }) => id) });
  const byId = new Map(rows.map((row) => [row.id.toString("latin1"), row]));
  return sessions.flatMap(({ id }) => byId.get(id.toString("latin1")) ?? []);
}

function toSessionEvents(row: RowDataPacket): NewEvent[] {
  const { id: resourceId, partner_id: partnerId, assessment_id: assessmentId, mode } = row;
  const about = { partnerId, resourceId, assessmentId, mode };
  return parseUnpublished(row.unpublished).map((event) => ({ ...event, ...about }));
}

function toOutboxEvent(row: RowDataPacket): NewEvent {
  const { resource_id: resourceId, partner_id: partnerId, assessment_id: assessmentId } = row;
  const about = { partnerId, resourceId, assessmentId, mode: null };
  return { ...about, typeCode: row.type, occurrence: 1, occurredAt: row.occurred_at };
}
