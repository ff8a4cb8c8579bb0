// The SQL of idempotency keys, compiled once. Whoever changes a session and its key changes the session first.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";

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

/** Every statement of keys, but for those of many. Bindings are names, `":name"`. */
export function idempotencyStatements(db: Knex) {
  const ofKey = "partner_id = ? AND idempotency_key = ?";
  const key = [":partnerId", ":idempotencyKey"];
  return {
    insertKey: compile(
      db.raw(
        `INSERT INTO idempotency_keys (partner_id, idempotency_key, session_id, request_hash, expires_at)
         VALUES (?, ?, ?, ?, NOW(3) + INTERVAL ? DAY)`,
        [...key, ":id", ":requestHash", ":keptDays"],
      ),
    ),
    findKey: compile(
      db.raw(
        `SELECT session_id, request_hash, expires_at <= ? AS is_over FROM idempotency_keys
         FORCE INDEX (PRIMARY) WHERE ${ofKey}`,
        [":now", ...key],
      ),
    ),
    findSession: compile(
      db.raw("SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?", [":partnerId", ":id"]),
    ),
    deleteKey: compile(
      db.raw(`DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (PRIMARY) WHERE ${ofKey} AND session_id = ?`, [
        ...key,
        ":id",
      ]),
    ),
    forgetKey: compile(
      db.raw(`${forget} WHERE partner_id = ? AND id = ? AND idempotency_key = ?`, [
        ":partnerId",
        ":id",
        ":idempotencyKey",
      ]),
    ),
    deleteKeysOfSession: compile(
      db.raw(
        `DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
         WHERE partner_id = ? AND session_id = ?`,
        [":partnerId", ":id"],
      ),
    ),
    listOver: compile(
      db.raw(
        `SELECT partner_id, session_id FROM idempotency_keys FORCE INDEX (idempotency_keys_expiry)
         WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`,
        [":now", ":limit"],
      ),
    ),
    countOver: compile(
      db.raw(
        `SELECT COUNT(*) AS keys_over FROM idempotency_keys FORCE INDEX (idempotency_keys_expiry)
         WHERE expires_at <= ?`,
        [":now"],
      ),
    ),
    nextPartner: compile(db.raw("SELECT id FROM partners WHERE id > ? ORDER BY id LIMIT 1", [":before"])),
    // The copied ones as well, so that the number of those that are looked at has a bound.
    listOfSessions: compile(
      db.raw(
        `SELECT s.id, s.idempotency_key, s.created_at <= ? AS is_over, k.session_id AS copied_id
         FROM sessions AS s FORCE INDEX (sessions_idempotency)
         LEFT JOIN idempotency_keys AS k FORCE INDEX (PRIMARY)
           ON k.partner_id = s.partner_id AND k.idempotency_key = s.idempotency_key
         WHERE s.partner_id = ? AND s.idempotency_key > ? ORDER BY s.idempotency_key LIMIT ?`,
        [":before", ":partnerId", ":idempotencyKey", ":limit"],
      ),
    ),
  };
}
