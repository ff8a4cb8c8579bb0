// Erases sessions as a whole, or only the answers or the results of completed ones. Then the row keeps the time of the deletion,
// and no event is published. Deleted results are empty, not null: null means that scoring is pending.
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { execute, readRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { DataClass, Erasure, PartErasure } from "../../domain/sessions/session.ts";
import { eraseEvents } from "../events/erasure.ts";
import { removeMembers } from "../groups/joining.ts";
import { withoutAnswers } from "./session-lifecycle.ts";
import { sessionStatements as statements } from "./session-statements.ts";

const completed = "WHERE partner_id = :partnerId AND id = :id AND completed_at IS NOT NULL";
const lock = (condition: string) =>
  sql`SELECT id FROM sessions FORCE INDEX (PRIMARY) ${completed} AND ${condition} FOR UPDATE`;
const remove = (changes: string) =>
  sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${changes}, unpublished_since = unpublished_since ${completed}`;

/** The statements of deleting a class of data. */
export const dataStatements = {
  lockWithAnswers: lock("answers_deleted_at IS NULL"),
  lockWithResults: lock("results_deleted_at IS NULL AND results IS NOT NULL"),
  // The arrival of the first answer may still have to be published.
  deleteAnswers: remove(`answers_deleted_at = :deletedAt, ${withoutAnswers}`),
  deleteResults: remove("results_deleted_at = :deletedAt, results = ''"),
  // It belongs to the report, which is deleted.
  deleteIntention: sql`DELETE FROM report_intentions WHERE partner_id = :partnerId AND session_id = :id`,
};

/** The part of the store of sessions that erases them. */
export function sessionErasure(db: Knex) {
  return {
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

/** Locks those of the sessions that are completed and have data of the class. @returns their ids, in the given order */
async function lockData(
  connection: Connection,
  dataClass: DataClass,
  partnerId: Buffer,
  ids: readonly Buffer[],
): Promise<Buffer[]> {
  const statement = dataClass === "answers" ? dataStatements.lockWithAnswers : dataStatements.lockWithResults;
  const held: Buffer[] = [];
  for (const id of ids) {
    const rows = await readRows(connection, statement, { partnerId, id });
    if (rows.length > 0) held.push(id);
  }
  return held;
}

/** Deletes the data of that class of sessions that are locked. */
async function deleteData(
  connection: Connection,
  dataClass: DataClass,
  {
    partnerId,
    ids,
    deletedAt,
  }: { readonly partnerId: Buffer; readonly ids: readonly Buffer[]; readonly deletedAt: Date },
): Promise<void> {
  const statement = dataClass === "answers" ? dataStatements.deleteAnswers : dataStatements.deleteResults;
  for (const id of ids) {
    await execute(connection, statement, { partnerId, id, deletedAt });
    if (dataClass === "results") await execute(connection, dataStatements.deleteIntention, { partnerId, id });
  }
}
