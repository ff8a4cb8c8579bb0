// Locks sessions with unannounced changes, adds their events to a batch, and marks them as announced.
import type { Connection, RowDataPacket } from "mysql2";
import { executeText, fromRow, readRowsOf } from "../../database/statement.ts";
import { announcementsOf, type LockedSession, publishedWith } from "../../domain/events/announcements.ts";
import { endColumns } from "../sessions/session-rows.ts";
import type { EventBatch } from "./event-batch.ts";
import type { PutEvent } from "./outbox.ts";
import { modeToNumber } from "./rows.ts";

// By the primary key: through another index the servers would lock other sessions too.
const lockSessionsById = `SELECT id, partner_id, assessment_id, mode, created_at, first_answer_at, ${endColumns},
    published, COALESCE(unpublished_since, NOW(3)) AS unpublished_since, answers <> '' AS has_answers,
    results IS NOT NULL AS is_scored
  FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE SKIP LOCKED`;
const findSessions = "SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id IN (?)";
const markPublished = `UPDATE sessions FORCE INDEX (PRIMARY) SET published = ?, unpublished_since = NULL
  WHERE id IN (?) AND partner_id IN (?)`;

/** Locks the sessions that exist and are not locked by others. @returns their rows, in the order of the ids */
export async function lockSessions(connection: Connection, ids: readonly Buffer[]): Promise<RowDataPacket[]> {
  if (ids.length === 0) return [];
  const rows = await readRowsOf(connection, lockSessionsById, [ids]);
  const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
  return ids.flatMap((id) => byId.get(keyOf(id)) ?? []);
}

/** `keyOf` of the events' sessions that exist. */
export async function findKnown(connection: Connection, events: readonly PutEvent[]): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  const named = [events.map(({ resourceId }) => resourceId), events.map(({ partnerId }) => partnerId)];
  const rows = await readRowsOf(connection, findSessions, named);
  return new Set(rows.map(({ id }) => keyOf(id)));
}

/** The bytes of an id as the key of a map. */
export function keyOf(id: Buffer): string {
  return id.toString("latin1");
}

/**
 * Adds the unannounced events of the sessions, in their order, and marks the sessions.
 * @param rows locked sessions. @param outboxOf the outbox of each, by `keyOf` its id
 */
export async function addSessions(
  connection: Connection,
  rows: readonly RowDataPacket[],
  outboxOf: ReadonlyMap<string, readonly PutEvent[]>,
  batch: EventBatch,
): Promise<void> {
  const rowsByPublished = new Map<number, RowDataPacket[]>();
  for (const row of rows) {
    const session = toLockedSession(row);
    const about = { partnerId: row.partner_id, resourceId: row.id, assessmentId: session.assessmentId };
    for (const announcement of announcementsOf(session, outboxOf.get(keyOf(row.id)))) {
      const { type, occurrence, occurredAt } = announcement;
      const event = { ...about, type, occurrence, mode: modeToNumber(session.mode), occurredAt };
      batch.add(event, session.unpublishedSince);
    }
    const published = publishedWith(session);
    const marked = rowsByPublished.get(published) ?? [];
    marked.push(row);
    rowsByPublished.set(published, marked);
  }
  for (const [published, marked] of rowsByPublished) {
    const named = [marked.map(({ id }) => id), marked.map(({ partner_id: partnerId }) => partnerId)];
    await executeText(connection, markPublished, [published, ...named]);
  }
}

function toLockedSession(row: RowDataPacket): LockedSession {
  const startedAt = row.first_answer_at;
  return {
    ...fromRow<LockedSession>(row),
    startedAt,
    hasAnswers: row.has_answers === 1,
    isScored: row.is_scored === 1,
  };
}
