// The ends of a session other than its completion: cancelling and expiring; and reopening.

import { sql } from "../../database/statement.ts";
import { eventText, publishing } from "../events/unpublished.ts";
import { hasNotEnded } from "./session-rows.ts";

/** Clears the answers in a row: of their arrival only the time of the first one stays. */
export const withoutAnswers = `answers = '', last_answer_at = NULL, answer_calls = NULL, first_call_answers = NULL,
  shown_language = NULL`;

const named = "WHERE partner_id = :partnerId AND id = :id";
const written = `${named} AND revision = :revision`;
// A cancelled session may be cancelled again, to erase its answers.
const cancelling = `IF(cancelled_at IS NULL, ${eventText("session.cancelled", ":cancelledAt")}, '')`;
const cancelled = `${publishing(cancelling)}, cancelled_at = :cancelledAt, expiry_due_at = NULL, revision = revision + 1`;

/** The statements of cancelling, expiring and reopening. */
export const statements = {
  cancel: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${cancelled} ${written} AND completed_at IS NULL`,
  cancelAndErase: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET ${withoutAnswers}, ${cancelled} ${written} AND completed_at IS NULL`,
  reopen: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expires_at = :expiresAt, expiry_due_at = :expiresAt, revision = revision + 1 ${written} AND ${hasNotEnded}`,
  listExpiryDue: sql`SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at <= :now ORDER BY expiry_due_at, partner_id LIMIT :limit`,
  // Once for each expiry time that the session was given.
  expire: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET ${publishing(eventText("session.expired", "expires_at", "expirations + 1"))}, expirations = expirations + 1,
      expiry_due_at = NULL, revision = revision + 1
    ${named} AND expiry_due_at <= :now AND expires_at <= :now AND ${hasNotEnded}`,
};
