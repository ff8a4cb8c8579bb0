// Sessions in MySQL: one row each, one statement a step.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import {
  type Arrivals,
  beforeAllCompletions,
  type Recording,
  type SessionKey,
  type SessionStore,
  type StoredOutcome,
  type StoredSession,
} from "../domain/ports/sessions.ts";
import { inTransaction } from "./connection.ts";
import { isDuplicateKey } from "./database-errors.ts";
import { eraseEvents } from "./events/erasure.ts";
import { removeContributions } from "./norm-removal.ts";
import { normStatements } from "./norm-statements.ts";
import { answersToBytes, bytesToAnswers, bytesToUuid, uuidToBytes } from "./rows.ts";
import { sessionStatements } from "./session-statements.ts";
import { execute, fetchRows, type Statement, write } from "./statement.ts";

/** The session part of the Store port. */
export function createSessionStore(db: Knex): SessionStore {
  const statements = sessionStatements(db);
  const ofNorms = normStatements(db);
  return {
    async insertSession(session, signal) {
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
        idempotencyKey: session.idempotency === null ? null : Buffer.from(session.idempotency.key),
        requestHash: session.idempotency === null ? null : Buffer.from(session.idempotency.requestHash),
      };
      try {
        await write(db, statements.insert, values, signal);
        return "inserted";
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Without an idempotency key the only key is the session's own new id: an earlier try did happen.
        return session.idempotency === null ? "inserted" : "key_taken";
      }
    },

    async findSession(id, signal) {
      const [row] = await fetchRows(db, statements.find, { id: uuidToBytes(id) }, signal);
      return row && toSession(row);
    },

    async findSessionByKey(partnerId, key, signal) {
      const values = { partnerId: uuidToBytes(partnerId), idempotencyKey: Buffer.from(key) };
      const [row] = await fetchRows(db, statements.findByKey, values, signal);
      return row && { session: toSession(row), requestHash: row.request_hash };
    },

    async saveAnswers(id, revision, recording, signal) {
      const values = { id: uuidToBytes(id), revision, nextRevision: revision + 1, ...recordingToRow(recording) };
      return (await write(db, statements.saveAnswers, values, signal)) === 1;
    },

    async saveCompletion(id, revision, { completedAt, results, ...recording }, signal) {
      const values = {
        id: uuidToBytes(id),
        revision,
        nextRevision: revision + 1,
        ...recordingToRow(recording),
        completedAt,
        results: results === null ? null : Buffer.from(results),
      };
      return (await write(db, statements.saveCompletion, values, signal)) === 1;
    },

    async findOutcome(id, signal) {
      const [row] = await fetchRows(db, statements.findOutcome, { id: uuidToBytes(id) }, signal);
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
      return rows.map((row) => ({ completedAt: row.completed_at, id: bytesToUuid(row.id) }));
    },

    async saveResults(id, results, signal) {
      await write(db, statements.saveResults, { id: uuidToBytes(id), results: Buffer.from(results) }, signal);
    },

    async listSessionKeys(partnerId, externalId, after, limit, signal) {
      const person = { partnerId: uuidToBytes(partnerId), externalId: Buffer.from(externalId) };
      const keys: SessionKey[] = [];
      const read = async (statement: Statement, from: SessionKey) => {
        const { completedAt, id } = from;
        const values = { ...person, completedAt, id: uuidToBytes(id), limit: limit - keys.length };
        keys.push(...(await fetchRows(db, statement, values, signal)).map(toKey));
      };
      // A session that is completed after the open ones were read is met among the completed ones.
      if (after === null || after.completedAt === null) {
        await read(statements.listOpenKeys, after ?? beforeAllCompletions);
        if (keys.length < limit) await read(statements.listCompletedKeys, beforeAllCompletions);
      } else {
        await read(statements.listCompletedKeys, after);
      }
      return keys;
    },

    eraseSessions(ids, erasure, arithmetic, signal) {
      return inTransaction(db, signal, async (connection) => {
        const held: Buffer[] = [];
        for (const id of ids.map(uuidToBytes)) {
          // While its row is locked, nothing of the session comes into the log.
          const rows = (await execute(connection, statements.lockSession, { id })) as RowDataPacket[];
          if (rows.length > 0) held.push(id);
        }
        if (held.length === 0) return 0;
        await removeContributions(connection, ofNorms, held, arithmetic, erasure.erasedAt);
        for (const id of held) {
          await eraseEvents(connection, statements, id, erasure.erasedAt);
          // Links before visits: without them no further visit can be opened.
          await execute(connection, statements.deleteLinks, { id });
          await execute(connection, statements.deleteVisits, { id });
          await execute(connection, statements.deleteReportLinks, { id });
          await execute(connection, statements.deleteReportVisits, { id });
          await execute(connection, statements.deleteReportViews, { id });
          await execute(connection, statements.deleteSession, { id });
        }
        const { erasedAt } = erasure;
        const record = { id: uuidToBytes(erasure.id), partnerId: uuidToBytes(erasure.partnerId), erasedAt };
        const clientId = uuidToBytes(erasure.clientId);
        await execute(connection, statements.insertErasure, { ...record, clientId, sessionsErased: held.length });
        return held.length;
      });
    },
  };
}

function recordingToRow({ answers, arrivals, shownLanguage }: Recording) {
  const { firstAnswerAt = null, lastAnswerAt = null, answerCalls = null, firstCallAnswers = null } = arrivals ?? {};
  return {
    answers: answersToBytes(answers),
    firstAnswerAt,
    lastAnswerAt,
    answerCalls,
    firstCallAnswers,
    shownLanguage,
  };
}

function toArrivals(row: RowDataPacket): Arrivals | null {
  if (row.first_answer_at === null) return null;
  return {
    firstAnswerAt: row.first_answer_at,
    lastAnswerAt: row.last_answer_at,
    answerCalls: row.answer_calls,
    firstCallAnswers: row.first_call_answers,
  };
}

/** A row of `sessionColumns`. */
export function toSession(row: RowDataPacket): StoredSession {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    externalId: row.external_id.toString(),
    assessmentId: row.assessment_id,
    mode: row.mode,
    redirectUrl: row.redirect_url?.toString() ?? null,
    locale: row.locale,
    personAccess: row.person_access,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    revision: row.revision,
    answers: bytesToAnswers(row.answers),
    arrivals: toArrivals(row),
    shownLanguage: row.shown_language,
  };
}

function toKey(row: RowDataPacket): SessionKey {
  return { completedAt: row.completed_at, id: bytesToUuid(row.id) };
}

function toOutcome(row: RowDataPacket): StoredOutcome {
  return {
    sessionId: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    assessmentId: row.assessment_id,
    completedAt: row.completed_at,
    results: row.results,
  };
}
