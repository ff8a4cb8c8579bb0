// The end of idempotency keys, in MySQL.
import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, executeText, fetchRows, sql } from "../../database/statement.ts";
import type { IdempotencyKeyStore } from "../../domain/sessions/idempotency-key-port.ts";
import { dayMs } from "../../kernel/timers.ts";

/** Forgets the keys of sessions. It is nothing that would have to be published. */
const forget = `UPDATE sessions FORCE INDEX (PRIMARY)
  SET idempotency_key = NULL, request_hash = NULL, unpublished_since = unpublished_since`;
const forgetKeys = `${forget} WHERE id IN (?) AND partner_id IN (?)`;
const deleteOverKeys = `DELETE idempotency_keys FROM idempotency_keys FORCE INDEX (idempotency_keys_session)
  WHERE session_id IN (?) AND partner_id IN (?) AND expires_at <= ?`;
const copyLiveKeys = `INSERT INTO idempotency_keys (partner_id, idempotency_key, session_id, request_hash, expires_at)
  SELECT partner_id, idempotency_key, id, request_hash, created_at + INTERVAL ? DAY FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? AND idempotency_key IS NOT NULL
  ON DUPLICATE KEY UPDATE session_id = idempotency_keys.session_id`;

const ofKey = "partner_id = :partnerId AND idempotency_key = :idempotencyKey";

/** Whoever changes a session and its key changes the session first. Every statement of keys, but for those of many. */
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
  nextPartner: sql`SELECT partner_id FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id > :before ORDER BY partner_id LIMIT 1`,
  // The copied ones as well, so that the number of those that are looked at has a bound.
  listOfSessions: sql`SELECT s.id, s.idempotency_key, s.created_at <= :before AS is_over, k.session_id AS copied_id
    FROM sessions AS s FORCE INDEX (sessions_idempotency)
    LEFT JOIN idempotency_keys AS k FORCE INDEX (PRIMARY)
      ON k.partner_id = s.partner_id AND k.idempotency_key = s.idempotency_key
    WHERE s.partner_id = :partnerId AND s.idempotency_key > :idempotencyKey ORDER BY s.idempotency_key LIMIT :limit`,
};

const beforeAllIds = Buffer.alloc(16);
const beforeAllKeys = Buffer.alloc(0);

/** The part of the Store port that ends idempotency keys. */
export function createIdempotencyKeyStore(db: Knex): IdempotencyKeyStore {
  return {
    async freeKey(partnerId, key, now, signal) {
      const name = { partnerId: uuidToBytes(partnerId), idempotencyKey: Buffer.from(key) };
      const [row] = await fetchRows(db, idempotencyStatements.findKey, { ...name, now }, signal);
      if (row === undefined) return;
      const session = { ...name, id: row.session_id };
      const isOver =
        row.is_over === 1 || (await fetchRows(db, idempotencyStatements.findSession, session, signal)).length === 0;
      if (!isOver) return;
      await inTransaction(db, signal, async (connection) => {
        await execute(connection, idempotencyStatements.forgetKey, session);
        await execute(connection, idempotencyStatements.deleteKey, session);
      });
    },

    async deleteExpiredKeys(limit, now, signal) {
      const rows = await fetchRows(db, idempotencyStatements.listOver, { limit, now }, signal);
      if (rows.length === 0) return 0;
      const named = [rows.map((row) => row.session_id), rows.map((row) => row.partner_id)];
      await inTransaction(db, signal, async (connection) => {
        await executeText(connection, forgetKeys, named);
        await executeText(connection, deleteOverKeys, [...named, now]);
      });
      return rows.length;
    },

    async countExpiredKeys(now, signal) {
      const [row] = await fetchRows(db, idempotencyStatements.countOver, { now }, signal);
      return Number(row?.keys_over ?? 0);
    },

    async copyKeys(after, keptDays, limit, now, signal) {
      const before = after === undefined ? beforeAllIds : uuidToBytes(after.partnerId);
      const [next] = after?.key
        ? [{ partner_id: before }]
        : await fetchRows(db, idempotencyStatements.nextPartner, { before }, signal);
      if (next === undefined) return { copied: 0, ended: 0, next: undefined };
      const partnerId: Buffer = next.partner_id;
      const from = { partnerId, idempotencyKey: after?.key ? Buffer.from(after.key) : beforeAllKeys };
      const rows = await fetchRows(
        db,
        idempotencyStatements.listOfSessions,
        { ...from, before: new Date(now.getTime() - keptDays * dayMs), limit },
        signal,
      );
      const missing = rows.filter((row) => row.copied_id === null);
      const live = missing.filter((row) => row.is_over === 0).map((row) => row.id);
      const over = missing.filter((row) => row.is_over === 1).map((row) => row.id);
      await inTransaction(db, signal, async (connection) => {
        if (over.length > 0) await executeText(connection, forgetKeys, [over, [partnerId]]);
        if (live.length > 0) await executeText(connection, copyLiveKeys, [keptDays, live, partnerId]);
      });
      const key = rows.length < limit ? "" : rows.at(-1)?.idempotency_key.toString();
      return { copied: live.length, ended: over.length, next: { partnerId: bytesToUuid(partnerId), key } };
    },
  };
}
