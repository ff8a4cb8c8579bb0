// The SQL of what ends a session beside its completion. The server assigns from left to right, so what is asked of a column
// stands before what is written to it.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";

/** What every write does that changes no answer. */
export const lifecycleWrite = "revision = revision + 1, lifecycle_writes = lifecycle_writes + 1";

/** The statements of cancelling, expiring and reopening. */
export function lifecycleStatements(db: Knex) {
  const written = "WHERE partner_id = ? AND id = ? AND revision = ? AND completed_at IS NULL";
  const ofWritten = [":partnerId", ":id", ":revision"];
  const cancelled = `cancelled_at = ?, expiry_due_at = NULL, ${lifecycleWrite}`;
  // Of the answers that are erased it stays known that there were some: that may still have to be announced.
  const erased = `first_answer_at = IF(answers = '', first_answer_at, COALESCE(first_answer_at, NOW(3))),
    answers = '', shown_language = NULL`;
  return {
    cancel: compile(
      db.raw(`UPDATE sessions FORCE INDEX (PRIMARY) SET ${cancelled} ${written}`, [":cancelledAt", ...ofWritten]),
    ),
    cancelAndErase: compile(
      db.raw(`UPDATE sessions FORCE INDEX (PRIMARY) SET ${erased}, ${cancelled} ${written}`, [
        ":cancelledAt",
        ...ofWritten,
      ]),
    ),
    // One that expired unnoticed is announced all the same.
    reopen: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET expired_at = COALESCE(expired_at, IF(expires_at <= ?, expires_at, NULL)),
           expires_at = ?, expiry_due_at = ?, ${lifecycleWrite}
         ${written} AND cancelled_at IS NULL`,
        [":now", ":expiresAt", ":expiresAt", ...ofWritten],
      ),
    ),
    listExpiryDue: compile(
      db.raw(
        `SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
         WHERE expiry_due_at <= ? ORDER BY expiry_due_at, partner_id LIMIT ?`,
        [":now", ":limit"],
      ),
    ),
    expire: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY)
         SET expired_at = COALESCE(expired_at, expires_at), expiry_due_at = NULL, ${lifecycleWrite}
         WHERE partner_id = ? AND id = ? AND expiry_due_at <= ? AND expires_at <= ?
           AND completed_at IS NULL AND cancelled_at IS NULL`,
        [":partnerId", ":id", ":now", ":now"],
      ),
    ),
    // An earlier release has completed it. Nothing has happened that would have to be announced.
    forgetExpiry: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET expiry_due_at = NULL, unpublished_since = unpublished_since
         WHERE partner_id = ? AND id = ? AND expiry_due_at <= ?
           AND (completed_at IS NOT NULL OR cancelled_at IS NOT NULL)`,
        [":partnerId", ":id", ":now"],
      ),
    ),
  };
}
