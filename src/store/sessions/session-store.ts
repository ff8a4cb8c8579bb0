// Sessions in MySQL: one row each, one statement a step.
import type { Knex } from "knex";
import type { Connection, ResultSetHeader } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import {
  execute,
  fetchRows,
  insertNew,
  inserts,
  readRows,
  type SqlValue,
  type Statement,
  write,
} from "../../database/statement.ts";
import type { GroupCounts } from "../../domain/groups/group-port.ts";
import type { ChangedSession, NewSession, SessionName, SessionStore } from "../../domain/sessions/session-port.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { backgroundTimers } from "../../kernel/timers.ts";
import { eraseEvents } from "../events/erasure.ts";
import { countPerson, groupRefusal, groupsOf, recountPeople, removeMembers } from "../groups/joining.ts";
import { removeContributions } from "../norms/norm-removal.ts";
import { KnownSessions } from "./known-sessions.ts";
import { deleteData, lockData } from "./session-data.ts";
import { noteExpiry, reopen } from "./session-expiry.ts";
import { erasureToRow, nameToRow, recordingToRow, toOutcome, toSession, writtenToRow } from "./session-rows.ts";
import { sessionStatements as statements } from "./session-statements.ts";

const beforeAllIds = Buffer.alloc(16);

/** The session part of the Store port. */
export function createSessionStore(db: Knex, known = new KnownSessions(backgroundTimers)): SessionStore {
  const join = async (
    connection: Connection,
    session: Readonly<Record<"partnerId" | "id" | "externalId", Buffer>> & { readonly groupId: Buffer | null },
  ) => {
    const { groupId } = session;
    if (groupId === null) return;
    await execute(connection, statements.join, { ...session, groupId });
    await countPerson(connection, { ...session, groupId }, ["size"]);
  };

  /** Saves what changes the counts of the session's group with them. @param gained beside a first answer */
  const save = async (
    statement: Statement,
    values: Readonly<Record<string, SqlValue>>,
    session: ChangedSession,
    gained: readonly (keyof GroupCounts)[],
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { groupId = null, externalId } = session;
    const isFirst = session.arrivals == null;
    if (groupId === null || externalId === undefined || (!isFirst && gained.length === 0)) {
      return (await write(db, statement, values, signal)) === 1;
    }
    const row = { ...nameToRow(session), externalId: Buffer.from(externalId), groupId: uuidToBytes(groupId) };
    return inTransaction(db, signal, async (connection) => {
      const { affectedRows } = (await execute(connection, statement, values)) as ResultSetHeader;
      if (affectedRows !== 1) return false;
      await countPerson(connection, row, isFirst ? ["started", ...gained] : gained);
      return true;
    });
  };

  const insert = async (session: NewSession, signal: AbortSignal) => {
    const values = {
      id: uuidToBytes(session.id),
      partnerId: uuidToBytes(session.partnerId),
      externalId: Buffer.from(session.externalId),
      assessmentId: session.assessmentId,
      mode: session.mode,
      revision: 0,
      createdAt: session.createdAt,
      answers: Buffer.alloc(0),
      redirectUrl: session.redirectUrl === null ? null : Buffer.from(session.redirectUrl),
      locale: session.locale,
      personAccess: session.personAccess,
      expiresAt: session.expiresAt,
      groupId: session.groupId === null ? null : uuidToBytes(session.groupId),
      idempotencyKey: session.idempotency === null ? null : Buffer.from(session.idempotency.key),
      requestHash: session.idempotency === null ? null : Buffer.from(session.idempotency.requestHash),
    };
    const { idempotency } = session;
    // Without an idempotency key the only key is the session's own new id.
    if (idempotency === null && session.groupId === null) {
      await insertNew(db, statements.insert, values, signal);
      return "inserted";
    }
    return inTransaction(db, signal, async (connection) => {
      const refusal = await groupRefusal(connection, values);
      if (idempotency === null) {
        // Its own id is taken where an earlier try did happen.
        if (refusal !== undefined)
          return (await readRows(connection, statements.lockSession, values))[0] ? "inserted" : refusal;
        if (await inserts(connection, statements.insert, values)) await join(connection, values);
        return "inserted";
      }
      const { keptDays } = idempotency;
      if (!(await inserts(connection, statements.insertKey, { ...values, keptDays }))) return "key_taken";
      if (refusal !== undefined) {
        await execute(connection, statements.deleteKey, values);
        return refusal;
      }
      await execute(connection, statements.insert, values);
      await join(connection, values);
      return "inserted";
    });
  };
  const find = async (session: SessionName, signal: AbortSignal) => {
    const [row] = await fetchRows(db, statements.find, nameToRow(session), signal);
    return row && toSession(row);
  };
  return {
    async insertSession(session, signal) {
      const outcome = await insert(session, signal);
      if (outcome === "inserted") known.keepNew(session);
      return outcome;
    },

    findSession: find,

    async changeSession(session, change, signal) {
      const last = known.take(session);
      const write = last && (await change(last).catch(unlessRefused));
      if (write?.save !== undefined && (await write.save())) {
        // What had to be read may be written by other processes too, and a write that misses costs a try more.
        if (write.saved !== undefined) known.keep(write.saved);
        return write.result();
      }
      const { save, result } = await change(await find(session, signal));
      return save === undefined || (await save()) ? result() : undefined;
    },

    async findSessionByKey(partnerId, key, now, signal) {
      const values = { partnerId: uuidToBytes(partnerId), idempotencyKey: Buffer.from(key) };
      const [row] = await fetchRows(db, statements.findByKey, { ...values, now }, signal);
      return row && { session: toSession(row), requestHash: row.request_hash };
    },

    async saveAnswers(session, revision, recording, signal) {
      const values = { ...nameToRow(session), revision, nextRevision: revision + 1, ...recordingToRow(recording) };
      return save(statements.saveAnswers, values, session, [], signal);
    },

    async saveCompletion(session, revision, { completedAt, results, ...recording }, signal) {
      const values = {
        ...nameToRow(session),
        revision,
        nextRevision: revision + 1,
        ...recordingToRow(recording),
        completedAt,
        results: results === null ? null : Buffer.from(results),
      };
      return save(statements.saveCompletion, values, session, ["completed"], signal);
    },

    async saveCancellation(written, cancelledAt, erases, signal) {
      const statement = erases ? statements.cancelAndErase : statements.cancel;
      return (await write(db, statement, { ...writtenToRow(written), cancelledAt }, signal)) === 1;
    },

    saveReopening(written, expiresAt, now, signal) {
      return reopen(db, statements, writtenToRow(written), { expiresAt, now }, signal);
    },

    async listExpiryDue(limit, now, signal) {
      const rows = await fetchRows(db, statements.listExpiryDue, { limit, now }, signal);
      return rows.map((row) => ({ partnerId: bytesToUuid(row.partner_id), id: bytesToUuid(row.id) }));
    },

    saveExpiry(session, now, signal) {
      return noteExpiry(db, nameToRow(session), now, signal);
    },

    async findOutcome(session, signal) {
      const [row] = await fetchRows(db, statements.findOutcome, nameToRow(session), signal);
      return row && toOutcome(row);
    },

    async findLatestOutcome(product, partnerId, externalId, signal) {
      const person = { partnerId: uuidToBytes(partnerId), externalId: Buffer.from(externalId) };
      const values = { ...person, product: Buffer.from(product) };
      const [row] = await fetchRows(db, statements.findLatestOutcome, values, signal);
      return row && toOutcome(row);
    },

    async findOutcomeBefore(product, partnerId, externalId, { completedAt, id }, signal) {
      const person = { partnerId: uuidToBytes(partnerId), externalId: Buffer.from(externalId) };
      const values = { ...person, product: Buffer.from(product), completedAt, id: uuidToBytes(id) };
      const [row] = await fetchRows(db, statements.findOutcomeBefore, values, signal);
      return row && toOutcome(row);
    },

    async listUnscored(after, limit, signal) {
      const key = { completedAt: after.completedAt, id: uuidToBytes(after.id) };
      const rows = await fetchRows(db, statements.listUnscored, { ...key, limit }, signal);
      return rows.map((row) => ({
        id: bytesToUuid(row.id),
        completedAt: row.completed_at,
        partnerId: bytesToUuid(row.partner_id),
      }));
    },

    async saveResults(written, results, signal) {
      const values = { ...writtenToRow(written), results: Buffer.from(results) };
      return (await write(db, statements.saveResults, values, signal)) === 1;
    },

    async listSessionIds(partnerId, externalId, after, limit, signal) {
      const person = { partnerId: uuidToBytes(partnerId), externalId: Buffer.from(externalId) };
      const values = { ...person, after: after === null ? beforeAllIds : uuidToBytes(after), limit };
      return (await fetchRows(db, statements.listKeys, values, signal)).map(({ id }) => bytesToUuid(id));
    },

    eraseSessions(ids, erasure, arithmetic, signal) {
      const partnerId = uuidToBytes(erasure.partnerId);
      return inTransaction(db, signal, async (connection) => {
        const held: Buffer[] = [];
        for (const id of ids.map(uuidToBytes)) {
          // While its row is locked, nothing of the session comes into the log.
          const lock = erasure.onlyOpen ? statements.lockOpenSession : statements.lockSession;
          const rows = await readRows(connection, lock, { partnerId, id });
          if (rows.length > 0) held.push(id);
        }
        if (held.length === 0) return 0;
        await removeContributions(connection, partnerId, held, arithmetic);
        await removeMembers(connection, partnerId, held);
        const groups = await groupsOf(connection, partnerId, held);
        for (const id of held) {
          await eraseEvents(connection, { partnerId, id }, erasure.erasedAt);
          // Links before browser sessions: without them no further browser session can be opened.
          await execute(connection, statements.deleteLinks, { partnerId, id });
          await execute(connection, statements.deleteBrowserSessions, { partnerId, id });
          await execute(connection, statements.deleteReportLinks, { partnerId, id });
          await execute(connection, statements.deleteReportBrowserSessions, { partnerId, id });
          await execute(connection, statements.deleteReportViews, { partnerId, id });
          await execute(connection, statements.deleteKeysOfSession, { partnerId, id });
          await execute(connection, statements.deleteSession, { partnerId, id });
        }
        for (const groupId of groups) await recountPeople(connection, partnerId, groupId);
        await execute(connection, statements.insertErasure, erasureToRow(erasure, "session", held.length));
        return held.length;
      });
    },

    eraseData(dataClass, ids, erasure, arithmetic, signal) {
      const { deletedAt } = erasure;
      const partnerId = uuidToBytes(erasure.partnerId);
      return inTransaction(db, signal, async (connection) => {
        const held = await lockData(connection, dataClass, partnerId, ids.map(uuidToBytes));
        if (held.length === 0) return 0;
        if (dataClass === "answers") await removeContributions(connection, partnerId, held, arithmetic);
        await deleteData(connection, dataClass, { partnerId, ids: held, deletedAt });
        await execute(connection, statements.insertErasure, erasureToRow(erasure, dataClass, held.length));
        return held.length;
      });
    },
  };
}

/** What is refused is refused of what is stored. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}
