// The end of idempotency keys, in MySQL.

import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, executeText, fetchRows } from "../../database/statement.ts";
import type { IdempotencyKeyStore } from "../../domain/sessions/idempotency-key-port.ts";
import { dayMs } from "../../kernel/timers.ts";
import {
  copyLiveKeys,
  deleteOverKeys,
  forgetKeys,
  idempotencyStatements as statements,
} from "./idempotency-statements.ts";

const beforeAllIds = Buffer.alloc(16);
const beforeAllKeys = Buffer.alloc(0);

/** The part of the Store port that ends idempotency keys. */
export function createIdempotencyKeyStore(db: Knex): IdempotencyKeyStore {
  return {
    async freeKey(partnerId, key, now, signal) {
      const name = { partnerId: uuidToBytes(partnerId), idempotencyKey: Buffer.from(key) };
      const [row] = await fetchRows(db, statements.findKey, { ...name, now }, signal);
      if (row === undefined) return;
      const session = { ...name, id: row.session_id };
      const isOver = row.is_over === 1 || (await fetchRows(db, statements.findSession, session, signal)).length === 0;
      if (!isOver) return;
      await inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.forgetKey, session);
        await execute(connection, statements.deleteKey, session);
      });
    },

    async deleteExpiredKeys(limit, now, signal) {
      const rows = await fetchRows(db, statements.listOver, { limit, now }, signal);
      if (rows.length === 0) return 0;
      const named = [rows.map((row) => row.session_id), rows.map((row) => row.partner_id)];
      await inTransaction(db, signal, async (connection) => {
        await executeText(connection, forgetKeys, named);
        await executeText(connection, deleteOverKeys, [...named, now]);
      });
      return rows.length;
    },

    async countExpiredKeys(now, signal) {
      const [row] = await fetchRows(db, statements.countOver, { now }, signal);
      return Number(row?.keys_over ?? 0);
    },

    async copyKeys(after, keptDays, limit, now, signal) {
      const before = after === undefined ? beforeAllIds : uuidToBytes(after.partnerId);
      const [next] = after?.key ? [{ id: before }] : await fetchRows(db, statements.nextPartner, { before }, signal);
      if (next === undefined) return { copied: 0, ended: 0, next: undefined };
      const partnerId: Buffer = next.id;
      const from = { partnerId, idempotencyKey: after?.key ? Buffer.from(after.key) : beforeAllKeys };
      const rows = await fetchRows(
        db,
        statements.listOfSessions,
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
