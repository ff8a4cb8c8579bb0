// Erases sessions with everything beside them, or only the answers or the results of completed ones. A row without its answers
// or results keeps the time of the deletion. Deleted results are empty, not null: null means that scoring is pending.

import type { Connection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import { type Statement, sql } from "../../database/statement.ts";
import type { DataClass } from "../../domain/sessions/session.ts";
import { outboxStatements } from "../events/unpublished.ts";
import { forgetMembers } from "../groups/joining.ts";
import { withoutAnswers } from "./session-statements.ts";

const lockWhere = (condition: string) => sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
  WHERE partner_id = :partnerId AND id = :id AND ${condition} FOR UPDATE`;
const setDeleted = (changes: string) => sql`UPDATE sessions FORCE INDEX (PRIMARY)
  SET ${changes} WHERE partner_id = :partnerId AND id = :id AND completed_at IS NOT NULL`;
const deleteFrom = (table: string) => sql`DELETE FROM ${table} WHERE partner_id = :partnerId AND session_id = :id`;
const deleteIntention = deleteFrom("report_intentions");

const erasureStatements = {
  lockAny: lockWhere("id IS NOT NULL"),
  lockOpen: lockWhere("completed_at IS NULL"),
  answers: {
    lock: lockWhere("completed_at IS NOT NULL AND answers_deleted_at IS NULL"),
    clear: setDeleted(`answers_deleted_at = :deletedAt, ${withoutAnswers}`),
  },
  results: {
    lock: lockWhere("completed_at IS NOT NULL AND results_deleted_at IS NULL AND results IS NOT NULL"),
    clear: setDeleted("results_deleted_at = :deletedAt, results = '', announce_at = NULL"),
  },
  /** One last event, of the erasure, takes the place of the session's events. */
  events: [
    sql`DELETE FROM webhook_deliveries WHERE partner_id = :partnerId AND resource_id = :id`,
    sql`DELETE FROM webhook_attempts WHERE partner_id = :partnerId AND resource_id = :id`,
    // Only this form uses an index: the partner may have many events to scan.
    sql`DELETE events FROM events FORCE INDEX (events_once) WHERE partner_id = :partnerId AND resource_id = :id`,
    outboxStatements.addErasure,
  ],
  ofSession: [
    // Links before browser sessions: without a link no further browser session can be opened.
    ...["hosted_links", "hosted_browser_sessions", "report_links", "report_browser_sessions", "report_views"].map(
      deleteFrom,
    ),
    deleteIntention,
    // Only this form uses an index.
    sql`DELETE sessions FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id`,
  ],
};

/** An erasure of sessions of a partner. */
export interface Erasure {
  readonly partnerId: string;
  readonly erasedAt: Date;
  /** Whether sessions that are completed stay. */
  readonly onlyOpen?: boolean;
}

/** Locks the sessions that the statement finds. While its row is locked, no event of a session is published. */
async function lockAll(connection: Connection, lock: Statement, partnerId: string, ids: readonly string[]) {
  const lockedIds: string[] = [];
  for (const id of ids) {
    if ((await connection.findAll(lock, { partnerId, id })).length > 0) lockedIds.push(id);
  }
  return lockedIds;
}

/** The part of the store of sessions that erases them. */
export function createSessionErasure(db: Database) {
  const { lockOpen, lockAny, events, ofSession } = erasureStatements;
  return {
    /** Removes those of the partner's sessions that still exist, with their links, browser sessions and views. @returns how many */
    eraseSessions: (ids: readonly string[], { partnerId, erasedAt, onlyOpen }: Erasure, signal: AbortSignal) =>
      db.runTransaction(signal, async (connection) => {
        const lockedIds = await lockAll(connection, onlyOpen ? lockOpen : lockAny, partnerId, ids);
        await forgetMembers(connection, partnerId, lockedIds);
        for (const id of lockedIds) {
          const values = { partnerId, id, erasedAt };
          for (const statement of [...events, ...ofSession]) await connection.execute(statement, values);
        }
        return lockedIds.length;
      }),

    /**
     * Deletes the answers, or the results, of those of the sessions that are completed and still have them; no event of it.
     * @param deletedAt by the clock of the partner's sessions
     * @returns of how many
     */
    eraseData(
      part: DataClass,
      ids: readonly string[],
      { partnerId, deletedAt }: { readonly partnerId: string; readonly deletedAt: Date },
      signal: AbortSignal,
    ): Promise<number> {
      const { lock, clear } = erasureStatements[part];
      return db.runTransaction(signal, async (connection) => {
        const lockedIds = await lockAll(connection, lock, partnerId, ids);
        for (const id of lockedIds) {
          await connection.execute(clear, { partnerId, id, deletedAt });
          // It belongs to the report, which is deleted.
          if (part === "results") await connection.execute(deleteIntention, { partnerId, id });
        }
        return lockedIds.length;
      });
    },
  };
}
