// Sessions in MySQL: one row each, and most steps are one statement.

import { LRUCache } from "lru-cache";
import type { Database } from "../../database/database.ts";
import type {
  CompletedSession,
  Completion,
  CompletionKey,
  NewSession,
  Recording,
  SessionChange,
  SessionKey,
  SessionRevision,
  StoredSession,
} from "../../domain/sessions/session.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { countJoin, findJoinRefusal } from "../groups/joining.ts";
import { recordings, sessions, toStoredSession } from "./session-columns.ts";
import { createSessionErasure } from "./session-erasure.ts";
import { sessionStatements as statements } from "./session-statements.ts";

/** The store of sessions. */
export function createSessionStore(db: Database) {
  const cache = new SessionCache();
  const { eraseSessions, eraseData } = createSessionErasure(db);
  /** Inserts a session that continues another one, unless that is gone, or is in a group, unless that is closed or full. */
  const insertLinked = (session: NewSession, values: object, signal: AbortSignal) =>
    db.runTransaction(signal, async (connection) => {
      const { partnerId, groupId, continues } = session;
      const isGone = async () => (await connection.findAll(statements.lockContinued, values)).length === 0;
      // Sessions are locked before groups, as by an erasure.
      const refusal =
        continues !== null && (await isGone())
          ? ("continued_gone" as const)
          : await findJoinRefusal(connection, session);
      // An earlier session may have the key, and an earlier attempt may have succeeded.
      if (refusal !== undefined) {
        if ((await connection.findAll(statements.lockSession, values)).length > 0) return "inserted";
        return (await connection.findAll(statements.findByKey, values)).length > 0 ? "key_taken" : refusal;
      }
      if (!(await connection.insertIfAbsent(statements.insert, values))) return undefined;
      if (groupId !== null) await countJoin(connection, partnerId, groupId, session.joinCodeHash !== undefined);
      return "inserted";
    });
  const insert = async (session: NewSession, storedSession: StoredSession, signal: AbortSignal) => {
    const { idempotency, groupId, continues } = session;
    const { key: idempotencyKey = null, requestHash = null } = idempotency ?? {};
    const values = { ...sessions.toRow(storedSession), idempotencyKey, requestHash };
    const outcome =
      groupId === null && continues === null
        ? (await db.insertIfAbsent(statements.insert, values, signal)) && "inserted"
        : await insertLinked(session, values, signal);
    // Without an idempotency key the only key is the session's own new id.
    return outcome || (idempotency === null ? "inserted" : "key_taken");
  };
  const find = (session: SessionKey, signal: AbortSignal) => db.findOne(statements.find, session, signal);
  /** Writes a change of a cached session; undefined if that is refused, changes nothing, or another write came first. */
  const changeCached = async <T>(
    session: StoredSession,
    change: (session: StoredSession) => Promise<SessionChange<T>>,
  ): Promise<SessionChange<T> | undefined> => {
    const sessionChange = await change(session).catch(ignoreRefusal);
    if (sessionChange?.write === undefined || !(await sessionChange.write())) return undefined;
    // A session that was not cached may be written by other processes too, and a write that misses costs another attempt.
    if (sessionChange.afterWrite !== undefined) cache.set(sessionChange.afterWrite);
    return sessionChange;
  };
  return {
    /**
     * Inserts the session, or nothing if the partner's idempotency key is taken: by another session, or by this one if
     * an earlier attempt seemed to fail but succeeded. Nothing either if its group is closed by then, or has
     * `maxGroupSessions`, or if the session that it continues, or its answers, are gone.
     */
    async insertSession(
      session: NewSession,
      signal: AbortSignal,
    ): Promise<"inserted" | "key_taken" | "group_closed" | "group_full" | "continued_gone"> {
      const storedSession = toStoredSession(session);
      const outcome = await insert(session, storedSession, signal);
      if (outcome === "inserted") cache.set(storedSession);
      return outcome;
    },

    findSession: find,

    /**
     * Attempts a change of a session once. Callers serialise calls for one session (`WriteQueue`).
     * @param change gets the session; undefined: it does not exist. If only this process has written the session since
     * creating it, it gets the cached one first, and is called again with the stored one unless that was changed.
     * @param bypassCache whether it gets the stored one at once
     * @returns undefined where another write came first
     */
    async attemptChange<T>(
      key: SessionKey,
      change: (session: StoredSession | undefined) => Promise<SessionChange<T>>,
      bypassCache: boolean,
      signal: AbortSignal,
    ): Promise<T | undefined> {
      const cachedSession = cache.remove(key);
      if (cachedSession !== undefined && !bypassCache) {
        const changedSession = await changeCached(cachedSession, change);
        if (changedSession !== undefined) return changedSession.response();
      }
      const freshChange = await change(await find(key, signal));
      return freshChange.write === undefined || (await freshChange.write()) ? freshChange.response() : undefined;
    },

    /** Undefined: the key is free. */
    findSessionByKey: (partnerId: string, idempotencyKey: string, signal: AbortSignal) =>
      db.findOne(statements.findByKey, { partnerId, idempotencyKey }, signal),

    /** Stores the answers of an open session if its revision is unchanged. False: it is not. */
    saveAnswers: (session: SessionKey, revision: number, recording: Recording, signal: AbortSignal) =>
      db.writeOne(statements.saveAnswers, { ...session, revision, ...recordings.toRow(recording) }, signal),

    /** Stores answers, completion and results together if the open session's revision is unchanged. False: it is not. */
    saveCompletion(
      session: SessionKey,
      revision: number,
      { completedAt, results, ...recording }: Completion,
      signal: AbortSignal,
    ): Promise<boolean> {
      const columns = { ...recordings.toRow(recording), completedAt, results, isScored: results !== null };
      return db.writeOne(statements.saveCompletion, { ...session, revision, ...columns }, signal);
    },

    /** Stores that the open session is cancelled, and erases its answers if requested, if its revision is unchanged. */
    saveCancellation(session: SessionRevision, cancelledAt: Date, erases: boolean, signal: AbortSignal) {
      const statement = erases ? statements.cancelAndErase : statements.cancel;
      return db.writeOne(statement, { ...session, cancelledAt }, signal);
    },

    /** Gives the open session another expiry if its revision is unchanged; null: none. */
    saveReopening: (session: SessionRevision, expiresAt: Date | null, signal: AbortSignal) =>
      db.writeOne(statements.reopen, { ...session, expiresAt }, signal),

    /** Sessions that have expired, or whose step has its day, and that are not announced: at most `limit`. */
    listDue: (limit: number, now: Date, signal: AbortSignal): Promise<SessionKey[]> =>
      db.findAll(statements.listDue, { limit, now }, signal),

    /** Announces such a session; false if it is no longer one. @param now by the service's clock, or that of a test twin */
    announceDue: (session: SessionKey, now: Date, signal: AbortSignal) =>
      db.writeOne(statements.announceDue, { ...session, now }, signal),

    /** The ids of a person's first sessions, ascending, at most `limit`. */
    async listSessionIds(partnerId: string, externalId: string, limit: number, signal: AbortSignal) {
      const rows = await db.findAll(statements.listKeys, { partnerId, externalId, limit }, signal);
      return rows.map(({ id }) => bytesToUuid(id));
    },

    /** The completed session of a person in a product with the greatest completion time, then the greatest id. */
    findLatestCompleted: (product: string, partnerId: string, externalId: string, signal: AbortSignal) =>
      db.findOne(statements.findLatestCompleted, { product, partnerId, externalId }, signal),

    /** The previous completed session of the same person, product and form, in the same order. */
    findCompletedBefore: (
      session: CompletionKey & Pick<StoredSession, "product" | "partnerId" | "externalId" | "assessmentId">,
      signal: AbortSignal,
    ) => db.findOne(statements.findCompletedBefore, session, signal),

    /** Completed sessions without results, but with answers, after the key, in the order of their keys, at most `limit`. */
    listUnscored: (after: CompletionKey, limit: number, signal: AbortSignal): Promise<CompletedSession[]> =>
      db.findAll(statements.listUnscored, { ...after, limit }, signal),

    /**
     * Stores the results of an unscored completed session if its revision and answers are those that they were computed
     * from. False: they are not, or it has results.
     */
    saveResults: (session: SessionRevision, results: Uint8Array, signal: AbortSignal) =>
      db.writeOne(statements.saveResults, { ...session, results }, signal),

    eraseSessions,
    eraseData,
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Ignores a refusal: only one based on the stored session counts. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

const maxCachedMs = 30_000;
/** Some 2 kB each. */
const maxCachedSessions = 1_000;

/**
 * A cache of open sessions that only this process has written. Their next write skips the read: it names the cached revision,
 * and stores nothing if the stored revision is another.
 */
export class SessionCache {
  // Unused ones are removed too: answers of people do not stay in memory.
  readonly #sessions = new LRUCache<string, StoredSession>({
    max: maxCachedSessions,
    ttl: maxCachedMs,
    ttlAutopurge: true,
    perf: { now: () => performance.now() },
    ttlResolution: 0,
  });

  /** Number of cached sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Adds a session as it is stored now. */
  set(session: StoredSession): void {
    this.#sessions.set(formatKey(session), session);
  }

  /** Removes the session, for one attempt to write it; undefined if it is not cached. */
  remove(sessionKey: SessionKey): StoredSession | undefined {
    const key = formatKey(sessionKey);
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    return session;
  }
}

function formatKey({ partnerId, id }: SessionKey): string {
  return `${partnerId}/${id}`;
}
