// Marks an expired session in its row, for the log of events: the first expiry by the row alone, later ones by the
// outbox as well.

import type { Knex } from "knex";
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { execute, readRows, type Statement, sql, write } from "../../database/statement.ts";
import type { SessionName, WrittenSession } from "../../domain/sessions/session.ts";
import { putInOutbox } from "../events/outbox.ts";
import { hasNotEnded } from "./session-rows.ts";

/** Clears the answers in a row: of their arrival only the time of the first one stays. */
export const withoutAnswers = `answers = '', last_answer_at = NULL, answer_calls = NULL, first_call_answers = NULL,
  shown_language = NULL`;

/** The part of every write that changes no answer. */
export const lifecycleWrite = "revision = revision + 1";
/** The columns that are read before another expiry is marked. */
const expiryColumns = "id, partner_id, assessment_id, expires_at, expired_at, expirations, expiry_due_at";

const due = `WHERE partner_id = :partnerId AND id = :id AND expiry_due_at <= :now AND expires_at <= :now
  AND ${hasNotEnded}`;

/** The statements that mark an expiry. */
export const expiryStatements = {
  expireFirst: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expired_at = expires_at, expirations = 1, expiry_due_at = NULL, ${lifecycleWrite}
    ${due} AND expired_at IS NULL`,
  lockDue: sql`SELECT ${expiryColumns} FROM sessions FORCE INDEX (PRIMARY) ${due} FOR UPDATE`,
  expireAgain: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expirations = :expirations, expiry_due_at = NULL, ${lifecycleWrite} ${due}`,
};

/**
 * Marks a session as expired, once for each expiry time that it was given.
 * @returns whether it was marked: the session is open, has expired, and was not marked before
 */
export async function noteExpiry(db: Knex, session: SessionName, now: Date, signal: AbortSignal): Promise<boolean> {
  const values = { ...session, now };
  if ((await write(db, expiryStatements.expireFirst, values, signal)) === 1) return true;
  return inTransaction(db, signal, async (connection) => {
    const [row] = await readRows(connection, expiryStatements.lockDue, values);
    if (row === undefined) return false;
    const expirations = row.expirations + 1;
    await execute(connection, expiryStatements.expireAgain, { ...values, expirations });
    await announceAgain(connection, row, expirations);
    return true;
  });
}

/**
 * Gives a session another expiry time if its revision is unchanged. Marks the previous expiry if it passed unmarked.
 * @param written partner, id and revision. @param now null: the clock is in doubt, and nothing is marked
 * @returns whether it was open and had the revision
 */
export function reopen(
  db: Knex,
  statements: Readonly<Record<"lockForReopening" | "reopen", Statement>>,
  written: WrittenSession,
  { expiresAt, now }: { readonly expiresAt: Date | null; readonly now: Date | null },
  signal: AbortSignal,
): Promise<boolean> {
  return inTransaction(db, signal, async (connection) => {
    const [row] = await readRows(connection, statements.lockForReopening, written);
    if (row === undefined) return false;
    const isOver = now !== null && row.expires_at !== null && row.expires_at <= now;
    const isUnnoticed = isOver && row.expiry_due_at !== null;
    const expirations = row.expirations + (isUnnoticed ? 1 : 0);
    const values = { ...written, expiresAt, now, expirations };
    const { affectedRows } = (await execute(connection, statements.reopen, values)) as ResultSetHeader;
    if (affectedRows === 0) return false;
    if (isUnnoticed && expirations > 1) await announceAgain(connection, row, expirations);
    return true;
  });
}

async function announceAgain(connection: Connection, row: RowDataPacket, occurrence: number): Promise<void> {
  await putInOutbox(connection, {
    partnerId: row.partner_id,
    resourceId: row.id,
    type: "session.expired",
    occurrence,
    assessmentId: row.assessment_id,
    occurredAt: row.expires_at,
  });
}

const written = "WHERE partner_id = :partnerId AND id = :id AND revision = :revision";
const cancelled = `cancelled_at = :cancelledAt, expiry_due_at = NULL, ${lifecycleWrite}`;
// That there were answers stays known after they are erased: an event of it may still have to be published.
const erased = `first_answer_at = IF(answers = '', first_answer_at, COALESCE(first_answer_at, NOW(3))),
  ${withoutAnswers}`;

/** The statements of cancelling, expiring and reopening. */
export const lifecycleStatements = {
  cancel: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${cancelled} ${written} AND completed_at IS NULL`,
  cancelAndErase: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${erased}, ${cancelled} ${written} AND completed_at IS NULL`,
  lockForReopening: sql`SELECT ${expiryColumns}
    FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id FOR UPDATE`,
  // A session that expired without being marked gets its event too.
  reopen: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expired_at = COALESCE(expired_at, IF(expires_at <= :now, expires_at, NULL)),
      expirations = :expirations, expires_at = :expiresAt, expiry_due_at = :expiresAt, ${lifecycleWrite}
    ${written} AND ${hasNotEnded}`,
  listExpiryDue: sql`SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at <= :now ORDER BY expiry_due_at, partner_id LIMIT :limit`,
  ...expiryStatements,
};
