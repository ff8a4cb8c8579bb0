// Exports from MySQL: pages by id, each a statement of its own.
import type { Knex } from "knex";
import { bytesToUuid, firstIdAt, keptResults, timeOfId, uuidToBytes } from "../../database/rows.ts";
import { columnsOf, fetchRows, fetchRowsOf, sql } from "../../database/statement.ts";
import { type ExportStore, maxAttempts } from "../../domain/exports/export-port.ts";
import { exportedColumns, toExported } from "../sessions/session-rows.ts";

/** Bindings: partner, ids. */
const listStored = `SELECT id, answers_deleted_at, results_deleted_at, answers <> '' AS has_answers
  FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id IN (?)`;

/** Sessions of the person of row `s`, by the index that has nothing but their ids. */
const ofPerson = "WHERE p.partner_id = s.partner_id AND p.external_id = s.external_id";
/** Null, whatever the number, where there are too many to look at. */
const attempt = `CASE
    WHEN s.completed_at IS NULL THEN NULL
    WHEN (SELECT p.id FROM sessions AS p FORCE INDEX (sessions_person) ${ofPerson}
          LIMIT 1 OFFSET ${maxAttempts}) IS NOT NULL THEN NULL
    ELSE (SELECT COUNT(*) FROM sessions AS p FORCE INDEX (sessions_person)
          STRAIGHT_JOIN assessments AS b ON b.id = p.assessment_id
          ${ofPerson} AND b.product = a.product AND p.completed_at <= s.completed_at
            AND (p.completed_at < s.completed_at OR p.id <= s.id))
  END AS attempt`;
/** What a page has of each session, by an index of sessions: none is left out for want of its version. */
const rowsBy = (index: string) => `SELECT ${columnsOf("s", `${exportedColumns}, results`)}, ${attempt}
  FROM sessions AS s FORCE INDEX (${index}) LEFT JOIN assessments AS a ON a.id = s.assessment_id`;

export const statements = {
  newest: sql`SELECT id FROM sessions FORCE INDEX (sessions_partner) WHERE partner_id = :partnerId AND id < :before
    ORDER BY id DESC LIMIT 1`,
  list: sql`${rowsBy("sessions_partner")} WHERE s.partner_id = :partnerId AND s.id > :after ORDER BY s.id LIMIT :limit`,
  listGroup: sql`${rowsBy("sessions_group")}
    WHERE s.group_id = :groupId AND s.partner_id = :partnerId AND s.id > :after ORDER BY s.id LIMIT :limit`,
};

/** The export part of the Store port. @param replica the database itself if there is none */
export function createExportStore(db: Knex, replica: Knex): ExportStore {
  return {
    async findNewestTime(partnerId, now, signal) {
      const values = { partnerId: uuidToBytes(partnerId), before: firstIdAt(now) };
      const [row] = await fetchRows(replica, statements.newest, values, signal);
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
          ? await fetchRows(replica, statements.list, values, signal)
          : await fetchRows(replica, statements.listGroup, { ...values, groupId: uuidToBytes(groupId) }, signal);
      return rows.map((row) => ({
        ...toExported(row),
        results: keptResults(row),
        attempt: row.attempt,
      }));
    },
  };
}
