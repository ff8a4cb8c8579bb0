// The expiry of idempotency keys, in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { deleteByKeys, sql } from "../../database/statement.ts";

// A session has one key at most.
const deleteKeysOfSessions = `DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
  WHERE session_id IN (?) AND partner_id IN (?)`;

/** Every statement of keys, except those for several keys. */
export const idempotencyStatements = {
  insertKey: sql`INSERT INTO idempotency_keys (partner_id, idempotency_key, session_id, request_hash, expires_at)
    VALUES (:partnerId, :idempotencyKey, :id, :requestHash, NOW(3) + INTERVAL :keptDays DAY)`,
  deleteKey: sql`DELETE idempotency_keys
    FROM idempotency_keys FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND idempotency_key = :idempotencyKey AND session_id = :id`,
  deleteKeysOfSession: sql`DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
    WHERE partner_id = :partnerId AND session_id = :id`,
  listOver: sql`SELECT partner_id, session_id FROM idempotency_keys FORCE INDEX (idempotency_keys_expiry)
    WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit`,
};

const overKeys = {
  find: idempotencyStatements.listOver,
  remove: deleteKeysOfSessions,
  listsOf: (rows: readonly RowDataPacket[]) => [rows.map((row) => row.session_id), rows.map((row) => row.partner_id)],
};

/** The store that removes expired idempotency keys. */
export function createIdempotencyKeyStore(db: Knex) {
  return {
    /** Removes at most `limit` expired keys. @returns how many it found */
    deleteExpiredKeys(limit: number, now: Date, signal: AbortSignal): Promise<number> {
      return deleteByKeys(db, overKeys, { limit, now }, signal);
    },
  };
}
