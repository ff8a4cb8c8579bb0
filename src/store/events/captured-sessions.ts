// Sessions that are to be announced: locked, read, and marked as announced.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid } from "../../database/rows.ts";
import { executeText } from "../../database/statement.ts";
import { announcementsOf, type CapturedSession, publishedWith } from "../../domain/events/announcements.ts";
import type { EventBatch } from "./event-batch.ts";
import { modeToNumber } from "./rows.ts";

// By the primary key, whatever the servers think of it: by another index they would lock sessions that nobody asked for.
const lockSessions = `SELECT id, partner_id, assessment_id, mode, created_at, first_answer_at, completed_at, cancelled_at, expired_at,
    published, unpublished_since, answers <> '' AS has_answers, results IS NOT NULL AS is_scored
  FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (?) AND unpublished_since IS NOT NULL FOR UPDATE SKIP LOCKED`;
const markPublished = `UPDATE sessions FORCE INDEX (PRIMARY) SET published = ?, unpublished_since = NULL
  WHERE id IN (?) AND partner_id IN (?)`;
/** Adds what is to be announced of the candidates, in their order, and notes that it was. */
export async function addSessions(
  connection: Connection,
  candidates: readonly RowDataPacket[],
  batch: EventBatch,
): Promise<void> {
  if (candidates.length === 0) return;
  const ids = candidates.map(({ id }) => id);
  const locked = (await executeText(connection, lockSessions, [ids])) as RowDataPacket[];
  const byId = new Map(locked.map((row) => [row.id.toString("latin1"), row]));
  const rowsByPublished = new Map<number, RowDataPacket[]>();
  for (const id of ids) {
    // Somebody is writing it, or it was erased: an erased one is in the outbox.
    const row = byId.get(id.toString("latin1"));
    if (row === undefined) continue;
    const session = toCaptured(row);
    for (const { type, occurredAt } of announcementsOf(session)) {
      const event = { partnerId: row.partner_id, type, resourceId: id, assessmentId: session.assessmentId };
      batch.add({ ...event, mode: modeToNumber(session.mode), occurredAt }, session.unpublishedSince);
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

function toCaptured(row: RowDataPacket): CapturedSession {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    assessmentId: row.assessment_id,
    mode: row.mode,
    createdAt: row.created_at,
    startedAt: row.first_answer_at,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    expiredAt: row.expired_at,
    hasAnswers: row.has_answers === 1,
    isScored: row.is_scored === 1,
    published: row.published,
    unpublishedSince: row.unpublished_since,
  };
}
