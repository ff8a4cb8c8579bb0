// The SQL of what ends a session other than completion. The server assigns from left to right, so a column is read before
// it is written.
import { sql } from "../../database/statement.ts";
import { withoutAnswers } from "./session-data.ts";
import { expiryColumns, expiryStatements, lifecycleWrite } from "./session-expiry.ts";
import { hasNotEnded } from "./session-states.ts";

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
  // A session that expired before anybody looked has its event all the same.
  reopen: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET expired_at = COALESCE(expired_at, IF(expires_at <= :now, expires_at, NULL)),
      expirations = :expirations, expires_at = :expiresAt, expiry_due_at = :expiresAt, ${lifecycleWrite}
    ${written} AND ${hasNotEnded}`,
  listExpiryDue: sql`SELECT partner_id, id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at <= :now ORDER BY expiry_due_at, partner_id LIMIT :limit`,
  ...expiryStatements,
};
