// Sessions in MySQL: one row each, one statement per step.

import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import {
  bytesToUuid,
  execute,
  fetchRows,
  insertNew,
  inserts,
  readRows,
  uuidToBytes,
  write,
} from "../../database/statement.ts";
import type {
  Completion,
  CompletionKey,
  DataClass,
  Erasure,
  NewSession,
  PartErasure,
  Recording,
  SessionChange,
  SessionName,
  StoredOutcome,
  StoredSession,
  UnscoredSession,
  WrittenSession,
} from "../../domain/sessions/session.ts";
import type { TrustedTime } from "../../domain/trusted-clock.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { backgroundTimers } from "../../kernel/timers.ts";
import { eraseEvents } from "../events/erasure.ts";
import { groupRefusal, joinGroup, removeMembers } from "../groups/joining.ts";
import { KnownSessions } from "./known-sessions.ts";
import { deleteData, lockData } from "./session-data.ts";
import { noteExpiry, reopen } from "./session-lifecycle.ts";
import { recordingToRow, toOutcome, toSession } from "./session-rows.ts";
import { sessionStatements as statements } from "./session-statements.ts";

/** The store of sessions. */
export function createSessionStore(db: Knex, known = new KnownSessions(backgroundTimers)) {
  const join = async (connection: Connection, { partnerId, groupId }: NewSession) => {
    if (groupId !== null) await joinGroup(connection, partnerId, groupId);
  };

  const insert = async (session: NewSession, signal: AbortSignal) => {
    const { idempotency } = session;
    const { key: idempotencyKey = null, requestHash = null, keptDays = null } = idempotency ?? {};
    const values = { ...session, revision: 0, answers: Buffer.alloc(0), idempotencyKey, requestHash, keptDays };
    // Without an idempotency key the only key is the session's own new id.
    if (idempotency === null && session.groupId === null) {
      await insertNew(db, statements.insert, values, signal);
      return "inserted";
    }
    return inTransaction(db, signal, async (connection) => {
      const refusal = await groupRefusal(connection, values);
      if (idempotency === null) {
        // Its own id is taken if an earlier attempt succeeded.
        if (refusal !== undefined)
          return (await readRows(connection, statements.lockSession, values))[0] ? "inserted" : refusal;
        if (await inserts(connection, statements.insert, values)) await join(connection, values);
        return "inserted";
      }
      if (!(await inserts(connection, statements.insertKey, values))) return "key_taken";
      if (refusal !== undefined) {
        await execute(connection, statements.deleteKey, values);
        return refusal;
      }
      await execute(connection, statements.insert, values);
      await join(connection, values);
      return "inserted";
    });
  };
  const find = async (session: SessionName, signal: AbortSignal): Promise<StoredSession | undefined> => {
    const [row] = await fetchRows(db, statements.find, session, signal);
    return row && toSession(row);
  };
  return {
    /**
     * Inserts the session, or nothing if the partner's idempotency key is taken: by another session, or by this one if
     * an earlier attempt seemed to fail but succeeded. Nothing either if its group is closed by then, or has
     * `maxGroupSessions`.
     */
    async insertSession(
      session: NewSession,
      signal: AbortSignal,
    ): Promise<"inserted" | "key_taken" | "group_closed" | "group_full"> {
      const outcome = await insert(session, signal);
      if (outcome === "inserted") known.keepNew(session);
      return outcome;
    },

    findSession: find,

    /**
     * Changes a session, one call of this process at a time. The callback gets the session; undefined: it does not
     * exist. If only this process has written the session since creating it, the callback gets the cached one, and the write
     * checks that its revision is unchanged; otherwise the callback is called again with the stored one.
     * @returns undefined where another write came first
     */
    async changeSession<T>(
      session: SessionName,
      change: (session: StoredSession | undefined) => Promise<SessionChange<T>>,
      signal: AbortSignal,
    ): Promise<T | undefined> {
      const last = known.take(session);
      const write = last && (await change(last).catch(unlessRefused));
      if (write?.save !== undefined && (await write.save())) {
        // A session that was not cached may be written by other processes too, and a write that misses costs another attempt.
        if (write.saved !== undefined) known.keep(write.saved);
        return write.result();
      }
      const { save, result } = await change(await find(session, signal));
      return save === undefined || (await save()) ? result() : undefined;
    },

    /** Undefined: the key is free, or has expired. @param now null: the clock is in doubt, and no key expires */
    async findSessionByKey(
      partnerId: string,
      key: string,
      now: TrustedTime | null,
      signal: AbortSignal,
    ): Promise<{ session: StoredSession; requestHash: Uint8Array } | undefined> {
      const [row] = await fetchRows(db, statements.findByKey, { partnerId, idempotencyKey: key, now }, signal);
      return row && { session: toSession(row), requestHash: row.request_hash };
    },

    /** Stores the answers of an open session if its revision is unchanged. False: it is not. */
    async saveAnswers(
      session: SessionName,
      revision: number,
      recording: Recording,
      signal: AbortSignal,
    ): Promise<boolean> {
      const values = { ...session, revision, nextRevision: revision + 1, ...recordingToRow(recording) };
      return (await write(db, statements.saveAnswers, values, signal)) === 1;
    },

    /** Stores answers, completion and results together if the open session's revision is unchanged. False: it is not. */
    async saveCompletion(
      session: SessionName,
      revision: number,
      { completedAt, results, ...recording }: Completion,
      signal: AbortSignal,
    ): Promise<boolean> {
      const written = { ...session, revision, nextRevision: revision + 1 };
      const values = { ...written, ...recordingToRow(recording), completedAt, results };
      return (await write(db, statements.saveCompletion, values, signal)) === 1;
    },

    /** Stores that the open session is cancelled, and erases its answers if requested, if its revision is unchanged. */
    async saveCancellation(
      written: WrittenSession,
      cancelledAt: Date,
      erases: boolean,
      signal: AbortSignal,
    ): Promise<boolean> {
      const statement = erases ? statements.cancelAndErase : statements.cancel;
      return (await write(db, statement, { ...written, cancelledAt }, signal)) === 1;
    },

    /**
     * Gives the open session another expiry if its revision is unchanged; null: none. Marks it if it had expired, so that
     * this is published. @param now null: the clock is in doubt, and nothing is marked
     */
    saveReopening(
      written: WrittenSession,
      expiresAt: Date | null,
      now: TrustedTime | null,
      signal: AbortSignal,
    ): Promise<boolean> {
      return reopen(db, statements, written, { expiresAt, now }, signal);
    },

    /** Sessions that have expired and are not marked: at most `limit`. */
    async listExpiryDue(limit: number, now: TrustedTime, signal: AbortSignal): Promise<SessionName[]> {
      const rows = await fetchRows(db, statements.listExpiryDue, { limit, now }, signal);
      return rows.map((row) => ({ partnerId: bytesToUuid(row.partner_id), id: bytesToUuid(row.id) }));
    },

    /** Marks such a session as expired; false if it is no longer one. */
    saveExpiry(session: SessionName, now: TrustedTime, signal: AbortSignal): Promise<boolean> {
      return noteExpiry(db, session, now, signal);
    },

    /** The outcome of a session, undefined while it is open. */
    async findOutcome(session: SessionName, signal: AbortSignal): Promise<StoredOutcome | undefined> {
      const [row] = await fetchRows(db, statements.findOutcome, session, signal);
      return row && toOutcome(row);
    },

    /** The completed session of a person in a product with the greatest completion time, then the greatest id. */
    async findLatestOutcome(
      product: string,
      partnerId: string,
      externalId: string,
      signal: AbortSignal,
    ): Promise<StoredOutcome | undefined> {
      const [row] = await fetchRows(db, statements.findLatestOutcome, { product, partnerId, externalId }, signal);
      return row && toOutcome(row);
    },

    /** The previous completed session of the person, in the same order. */
    async findOutcomeBefore(
      product: string,
      partnerId: string,
      externalId: string,
      { completedAt, id }: CompletionKey,
      signal: AbortSignal,
    ): Promise<StoredOutcome | undefined> {
      const values = { product, partnerId, externalId, completedAt, id };
      const [row] = await fetchRows(db, statements.findOutcomeBefore, values, signal);
      return row && toOutcome(row);
    },

    /**
     * Completed sessions without results, but with answers, after the key, in the order of their keys, at most `limit`.
     */
    async listUnscored(after: CompletionKey, limit: number, signal: AbortSignal): Promise<UnscoredSession[]> {
      const rows = await fetchRows(db, statements.listUnscored, { ...after, limit }, signal);
      return rows.map((row) => ({
        id: bytesToUuid(row.id),
        completedAt: row.completed_at,
        partnerId: bytesToUuid(row.partner_id),
      }));
    },

    /**
     * Stores the results of an unscored completed session if its revision and answers are those that they were computed
     * from. False: they are not, or it has results.
     */
    async saveResults(written: WrittenSession, results: Uint8Array, signal: AbortSignal): Promise<boolean> {
      return (await write(db, statements.saveResults, { ...written, results }, signal)) === 1;
    },

    /** The ids of a person's sessions after one of them, ascending, at most `limit`. */
    async listSessionIds(
      partnerId: string,
      externalId: string,
      after: string,
      limit: number,
      signal: AbortSignal,
    ): Promise<string[]> {
      const rows = await fetchRows(db, statements.listKeys, { partnerId, externalId, after, limit }, signal);
      return rows.map(({ id }) => bytesToUuid(id));
    },

    /**
     * Removes those of the partner's sessions that still exist, with their keys, links, browser sessions and
     * views, and adds the record of the erasure if there were any. Returns the number removed.
     */
    eraseSessions(ids: readonly string[], erasure: Erasure, signal: AbortSignal): Promise<number> {
      const partnerId = uuidToBytes(erasure.partnerId);
      return inTransaction(db, signal, async (connection) => {
        const held: Buffer[] = [];
        for (const id of ids.map(uuidToBytes)) {
          // While its row is locked, no event of the session is published.
          const lock = erasure.onlyOpen ? statements.lockOpenSession : statements.lockSession;
          const rows = await readRows(connection, lock, { partnerId, id });
          if (rows.length > 0) held.push(id);
        }
        if (held.length === 0) return 0;
        await removeMembers(connection, partnerId, held);
        for (const id of held) {
          await eraseEvents(connection, { partnerId, id }, erasure.erasedAt);
          // Links before browser sessions: without a link no further browser session can be opened.
          await execute(connection, statements.deleteLinks, { partnerId, id });
          await execute(connection, statements.deleteBrowserSessions, { partnerId, id });
          await execute(connection, statements.deleteReportLinks, { partnerId, id });
          await execute(connection, statements.deleteReportBrowserSessions, { partnerId, id });
          await execute(connection, statements.deleteReportViews, { partnerId, id });
          await execute(connection, statements.deleteIntention, { partnerId, id });
          await execute(connection, statements.deleteKeysOfSession, { partnerId, id });
          await execute(connection, statements.deleteSession, { partnerId, id });
        }
        await execute(connection, statements.insertErasure, {
          ...erasure,
          sessionsErased: held.length,
          part: "session",
        });
        return held.length;
      });
    },

    /**
     * Deletes the answers, or the results, of those of the sessions that are completed and still have them, and adds the
     * record of the erasure if there were any. Returns the number of sessions changed.
     */
    eraseData(
      dataClass: DataClass,
      ids: readonly string[],
      erasure: PartErasure,
      signal: AbortSignal,
    ): Promise<number> {
      const { deletedAt } = erasure;
      const partnerId = uuidToBytes(erasure.partnerId);
      return inTransaction(db, signal, async (connection) => {
        const held = await lockData(connection, dataClass, partnerId, ids.map(uuidToBytes));
        if (held.length === 0) return 0;
        await deleteData(connection, dataClass, { partnerId, ids: held, deletedAt });
        await execute(connection, statements.insertErasure, {
          ...erasure,
          sessionsErased: held.length,
          part: dataClass,
        });
        return held.length;
      });
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Ignores a refusal: only one based on the stored session counts. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}
