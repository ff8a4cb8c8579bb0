// The ends of a session other than its completion: cancelling and expiring; and reopening.

import type { Knex } from "knex";
import type { ResultSetHeader } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { execute, readRows, sql } from "../../database/statement.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import { putInOutbox } from "../events/outbox.ts";
import { hasNotEnded } from "./session-rows.ts";

/** Clears the answers in a row: of their arrival only the time of the first one stays. */
export const withoutAnswers = `answers = '', last_answer_at = NULL, answer_calls = NULL, first_call_answers = NULL,
  shown_language = NULL`;

const named = "WHERE partner_id = :partnerId AND id = :id";
const written = `${named} AND revision = :revision`;
const cancelled = "cancelled_at = :cancelledAt, expiry_due_at = NULL, revision = revision + 1";
// That there were answers stays known after they are erased: an event of it may still have to be published.
const erased = `first_answer_at = IF(answers = '', first_answer_at, COALESCE(first_answer_at, NOW(3))),
  ${withoutAnswers}`;

/** The statements of cancelling, expiring and reopening. */
export const statements = {
  cancel: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${cancelled} ${written} AND completed_at IS NULL`,
  cancelAndErase: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${erased}, ${cancelled} ${written} AND completed_at IS NULL`,
  reopen: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expires_at = :expiresAt, expiry_due_at = :expiresAt, revision = revision + 1 ${written} AND ${hasNotEnded}`,
  listExpiryDue: sql`SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at <= :now ORDER BY expiry_due_at, partner_id LIMIT :limit`,
  expire: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expirations = expirations + 1, expiry_due_at = NULL, revision = revision + 1
    ${named} AND expiry_due_at <= :now AND expires_at <= :now AND ${hasNotEnded}`,
  findExpiry: sql`SELECT id, partner_id, assessment_id, expires_at, expirations FROM sessions FORCE INDEX (PRIMARY) ${named}`,
};

/**
 * Marks a session as expired and announces it, once for each expiry time that it was given.
 * @returns whether it was marked: the session is open, has expired, and was not marked before
 */
export function markExpired(db: Knex, session: SessionName, now: Date, signal: AbortSignal): Promise<boolean> {
  return inTransaction(db, signal, async (connection) => {
    const { affectedRows } = (await execute(connection, statements.expire, { ...session, now })) as ResultSetHeader;
    const [row] = affectedRows === 0 ? [] : await readRows(connection, statements.findExpiry, session);
    if (row === undefined) return false;
    const { id: resourceId, partner_id: partnerId, assessment_id: assessmentId } = row;
    const event = { partnerId, resourceId, assessmentId, occurrence: row.expirations, occurredAt: row.expires_at };
    await putInOutbox(connection, { ...event, type: "session.expired" });
    return true;
  });
}
