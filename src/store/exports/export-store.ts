// Exports from MySQL: pages by id, each a statement of its own.

import type { Database } from "../../database/database.ts";
import { qualifyColumns, sql } from "../../database/statement.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { sessions } from "../sessions/session-columns.ts";

/** A session with its place. */
export interface StoredExport extends StoredSession {
  /**
   * Its place among the completed sessions of the person in its product, in the order of completion, from 1. Null until
   * it is completed, and if the person has more than `maxAttempts` sessions.
   */
  readonly attempt: number | null;
}

/** Most sessions of a person that are counted: each row of the page reads all of them. */
export const maxAttempts = 100;

/** Sessions of the person of row `s`, by an index that contains only their ids. */
const byPerson = "WHERE p.partner_id = s.partner_id AND p.external_id = s.external_id";
/** Null until completion, and if the person has more sessions than are counted. */
const attempt = `CASE
    WHEN s.completed_at IS NULL THEN NULL
    WHEN (SELECT p.id FROM sessions AS p FORCE INDEX (sessions_person) ${byPerson}
          LIMIT 1 OFFSET ${maxAttempts}) IS NOT NULL THEN NULL
    ELSE (SELECT COUNT(*) FROM sessions AS p FORCE INDEX (sessions_person)
          ${byPerson} AND p.product = s.product AND p.completed_at <= s.completed_at
            AND (p.completed_at < s.completed_at OR p.id <= s.id))
  END AS attempt`;
const createSelect = (index: string) =>
  `SELECT ${qualifyColumns("s", sessions.columns)}, ${attempt} FROM sessions AS s FORCE INDEX (${index})`;

export const statements = {
  list: sql`${createSelect("sessions_partner")} WHERE s.partner_id = :partnerId AND s.id > :after ORDER BY s.id LIMIT :limit`,
  listGroup: sql`${createSelect("sessions_group")}
    WHERE s.group_id = :groupId AND s.partner_id = :partnerId AND s.id > :after ORDER BY s.id LIMIT :limit`,
};

/** The store of exports. */
export function createExportStore(db: Database) {
  return {
    /**
     * Sessions of a partner with an id greater than `after`, ascending, at most `limit`.
     * @param groupId of this group only; undefined: all
     */
    async listExports(
      partnerId: string,
      groupId: string | undefined,
      after: string,
      limit: number,
      signal: AbortSignal,
    ): Promise<StoredExport[]> {
      const statement = groupId === undefined ? statements.list : statements.listGroup;
      const rows = await db.findAll(statement, { partnerId, groupId, after, limit }, signal);
      return rows.map((row) => ({ ...sessions.fromRow(row), attempt: row.attempt }));
    },
  };
}
