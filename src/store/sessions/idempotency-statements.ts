// The SQL of idempotency keys. Whoever changes a session and its key changes the session first.
import { sql } from "../../database/statement.ts";

/** Forgets the keys of sessions. It is nothing that would have to be published. */
const forget = `UPDATE sessions FORCE INDEX (PRIMARY)
  SET idempotency_key = NULL, request_hash = NULL, unpublished_since = unpublished_since`;
export const forgetKeys = `${forget} WHERE id IN (?) AND partner_id IN (?)`;
export const deleteOverKeys = `DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
  WHERE session_id IN (?) AND partner_id IN (?) AND expires_at <= ?`;
export const copyLiveKeys = `INSERT INTO idempotency_keys (partner_id, idempotency_key, session_id, request_hash, expires_at)
  SELECT partner_id, idempotency_key, id, request_hash, created_at + INTERVAL ? DAY FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? AND idempotency_key IS NOT NULL
  ON DUPLICATE KEY UPDATE session_id = idempotency_keys.session_id`;

const ofKey = "partner_id = :partnerId AND idempotency_key = :idempotencyKey";

/** Every statement of keys, but for those of many. */
export const idempotencyStatements = {
  insertKey: sql`INSERT INTO idempotency_keys (partner_id, idempotency_key, session_id, request_hash, expires_at)
    VALUES (:partnerId, :idempotencyKey, :id, :requestHash, NOW(3) + INTERVAL :keptDays DAY)`,
  findKey: sql`SELECT session_id, request_hash, expires_at <= :now AS is_over FROM idempotency_keys
    FORCE INDEX (PRIMARY) WHERE ${ofKey}`,
  findSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id`,
  deleteKey: sql`DELETE idempotency_keys
    FROM idempotency_keys FORCE INDEX (PRIMARY) WHERE ${ofKey} AND session_id = :id`,
  forgetKey: sql`${forget} WHERE partner_id = :partnerId AND id = :id AND idempotency_key = :idempotencyKey`,
  deleteKeysOfSession: sql`DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
    WHERE partner_id = :partnerId AND session_id = :id`,
  listOver: sql`SELECT partner_id, session_id FROM idempotency_keys FORCE INDEX (idempotency_keys_expiry)
    WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit`,
  countOver: sql`SELECT COUNT(*) AS keys_over FROM idempotency_keys FORCE INDEX (idempotency_keys_expiry)
    WHERE expires_at <= :now`,
  nextPartner: sql`SELECT id FROM partners WHERE id > :before ORDER BY id LIMIT 1`,
  // The copied ones as well, so that the number of those that are looked at has a bound.
  listOfSessions: sql`SELECT s.id, s.idempotency_key, s.created_at <= :before AS is_over, k.session_id AS copied_id
    FROM sessions AS s FORCE INDEX (sessions_idempotency)
    LEFT JOIN idempotency_keys AS k FORCE INDEX (PRIMARY)
      ON k.partner_id = s.partner_id AND k.idempotency_key = s.idempotency_key
    WHERE s.partner_id = :partnerId AND s.idempotency_key > :idempotencyKey ORDER BY s.idempotency_key LIMIT :limit`,
};
