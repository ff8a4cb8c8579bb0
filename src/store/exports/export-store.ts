// Exports from MySQL: pages by id, each a statement of its own.
import type { Knex } from "knex";
import { bytesToUuid, firstIdAt, keptResults, timeOfId, uuidToBytes } from "../../database/rows.ts";
import { compile, fetchRows, fetchRowsOf } from "../../database/statement.ts";
import type { ExportStore } from "../../domain/exports/export-port.ts";
import { bytesToAnswers } from "../sessions/answer-bytes.ts";

/** Bindings: partner, ids. */
const listStored = `SELECT id, answers_deleted_at, results_deleted_at, answers <> '' AS has_answers
  FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id IN (?)`;

/** The export part of the Store port. @param replica the database itself if there is none */
export function createExportStore(db: Knex, replica: Knex): ExportStore {
  const newest = compile(
    replica.raw(
      "SELECT id FROM sessions FORCE INDEX (sessions_partner) WHERE partner_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
      [":partnerId", ":before"],
    ),
  );
  const columns = `id, external_id, assessment_id, mode, created_at, completed_at, cancelled_at, expires_at,
    answers_deleted_at, results_deleted_at, answers, results, group_id`;
  const list = compile(
    replica.raw(
      `SELECT ${columns} FROM sessions FORCE INDEX (sessions_partner)
       WHERE partner_id = ? AND id > ? ORDER BY id LIMIT ?`,
      [":partnerId", ":after", ":limit"],
    ),
  );
  const listGroup = compile(
    replica.raw(
      `SELECT ${columns} FROM sessions FORCE INDEX (sessions_group)
       WHERE group_id = ? AND partner_id = ? AND id > ? ORDER BY id LIMIT ?`,
      [":groupId", ":partnerId", ":after", ":limit"],
    ),
  );
  return {
    async findNewestTime(partnerId, now, signal) {
      const values = { partnerId: uuidToBytes(partnerId), before: firstIdAt(now) };
      const [row] = await fetchRows(replica, newest, values, signal);
      return row === undefined ? new Date(0) : timeOfId(row.id);
    },

    async listStored(partnerId, ids, signal) {
      const rows = await fetchRowsOf(db, listStored, [uuidToBytes(partnerId), ids.map(uuidToBytes)], signal);
      return rows.map((row) => ({
        id: bytesToUuid(row.id),
        answersDeletedAt: row.answers_deleted_at,
        resultsDeletedAt: row.results_deleted_at,
        hasAnswers: row.has_answers === 1,
      }));
    },

    async listExports(partnerId, groupId, after, limit, signal) {
      const values = { partnerId: uuidToBytes(partnerId), after: uuidToBytes(after), limit };
      const rows =
        groupId === undefined
          ? await fetchRows(replica, list, values, signal)
          : await fetchRows(replica, listGroup, { ...values, groupId: uuidToBytes(groupId) }, signal);
      return rows.map((row) => ({
        id: bytesToUuid(row.id),
        externalId: row.external_id.toString(),
        assessmentId: row.assessment_id,
        mode: row.mode,
        createdAt: row.created_at,
        completedAt: row.completed_at,
        cancelledAt: row.cancelled_at,
        expiresAt: row.expires_at,
        answers: bytesToAnswers(row.answers),
        answersDeletedAt: row.answers_deleted_at,
        resultsDeletedAt: row.results_deleted_at,
        results: keptResults(row),
        groupId: row.group_id === null ? null : bytesToUuid(row.group_id),
      }));
    },
  };
}
