// Deletes only the answers or the results of a completed session. The row keeps the time of the deletion. Deleted results
// are empty, not null: null means that scoring is pending. No event is published.
import type { Connection } from "mysql2";
import { execute, readRows, sql } from "../../database/statement.ts";
import type { DataClass } from "../../domain/sessions/session.ts";

/** Clears the answers in a row: of their arrival only the time of the first one stays. */
export const withoutAnswers = `answers = '', last_answer_at = NULL, answer_calls = NULL, first_call_answers = NULL,
  shown_language = NULL`;

const completed = "WHERE partner_id = :partnerId AND id = :id AND completed_at IS NOT NULL";
const lock = (condition: string) =>
  sql`SELECT id FROM sessions FORCE INDEX (PRIMARY) ${completed} AND ${condition} FOR UPDATE`;
const remove = (changes: string) =>
  sql`UPDATE sessions FORCE INDEX (PRIMARY) SET ${changes}, unpublished_since = unpublished_since ${completed}`;

/** The statements of deleting a class of data. */
export const statements = {
  lockWithAnswers: lock("answers_deleted_at IS NULL"),
  lockWithResults: lock("results_deleted_at IS NULL AND results IS NOT NULL"),
  // The arrival of the first answer may still have to be published.
  deleteAnswers: remove(`answers_deleted_at = :deletedAt, ${withoutAnswers}`),
  deleteResults: remove("results_deleted_at = :deletedAt, results = ''"),
  // It belongs to the report, which is deleted.
  deleteIntention: sql`DELETE FROM report_intentions WHERE partner_id = :partnerId AND session_id = :id`,
};

/** Locks those of the sessions that are completed and have data of the class. @returns their ids, in the given order */
export async function lockData(
  connection: Connection,
  dataClass: DataClass,
  partnerId: Buffer,
  ids: readonly Buffer[],
): Promise<Buffer[]> {
  const statement = dataClass === "answers" ? statements.lockWithAnswers : statements.lockWithResults;
  const held: Buffer[] = [];
  for (const id of ids) {
    const rows = await readRows(connection, statement, { partnerId, id });
    if (rows.length > 0) held.push(id);
  }
  return held;
}

/** Deletes the data of that class of sessions that are locked. */
export async function deleteData(
  connection: Connection,
  dataClass: DataClass,
  {
    partnerId,
    ids,
    deletedAt,
  }: { readonly partnerId: Buffer; readonly ids: readonly Buffer[]; readonly deletedAt: Date },
): Promise<void> {
  const statement = dataClass === "answers" ? statements.deleteAnswers : statements.deleteResults;
  for (const id of ids) {
    await execute(connection, statement, { partnerId, id, deletedAt });
    if (dataClass === "results") await execute(connection, statements.deleteIntention, { partnerId, id });
  }
}
