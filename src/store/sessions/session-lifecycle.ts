// The SQL of what ends a session other than completion. The server assigns from left to right, so a column is read before
// it is written.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { withoutAnswers } from "./session-data.ts";
import { expiryColumns, expiryStatements, lifecycleWrite } from "./session-expiry.ts";

/** The statements of cancelling, expiring and reopening. */
export function lifecycleStatements(db: Knex) {
  return { ...endingStatements(db), ...expiryStatements(db) };
}

function endingStatements(db: Knex) {
  const written = "WHERE partner_id = ? AND id = ? AND revision = ? AND completed_at IS NULL";
  const ofWritten = [":partnerId", ":id", ":revision"];
  const cancelled = `cancelled_at = ?, expiry_due_at = NULL, ${lifecycleWrite}`;
  // That there were answers stays known after they are erased: an event of it may still have to be published.
  const erased = `first_answer_at = IF(answers = '', first_answer_at, COALESCE(first_answer_at, NOW(3))),
    ${withoutAnswers}`;
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
    lockForReopening: compile(
      db.raw(`SELECT ${expiryColumns} FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ? FOR UPDATE`, [
        ":partnerId",
        ":id",
      ]),
    ),
    // A session that expired before anybody looked has its event all the same.
    reopen: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET expired_at = COALESCE(expired_at, IF(expires_at <= ?, expires_at, NULL)),
           expirations = ?, expires_at = ?, expiry_due_at = ?, ${lifecycleWrite}
         ${written} AND cancelled_at IS NULL`,
        [":now", ":expirations", ":expiresAt", ":expiresAt", ...ofWritten],
      ),
    ),
    listExpiryDue: compile(
      db.raw(
        `SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
         WHERE expiry_due_at <= ? ORDER BY expiry_due_at, partner_id LIMIT ?`,
        [":now", ":limit"],
      ),
    ),
    // An earlier release has completed it, and has published that.
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
