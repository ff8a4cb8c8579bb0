// Recorded statements made ready to be sent again, for another session.
import type { QueryError, ResultSetHeader, RowDataPacket } from "mysql2";
import type { ScriptStatement } from "./script.ts";

/** What differs from one assessment to the next. */
export interface Particulars {
  readonly id: Buffer;
  readonly externalId?: Buffer;
  readonly answers?: Buffer;
}

type Done = (error: QueryError | null, result: unknown) => void;

/** What mysql2's connections and pools have in common. */
export interface Executor {
  execute(sql: string, values: never[], done: Done): unknown;
}

/** Sends the statements one after the other. Rejects where one fails, or does not find the one row that it is for. */
export async function runStatements(
  executor: Executor,
  statements: readonly ScriptStatement[],
  particulars: Particulars,
): Promise<void> {
  for (const statement of statements) await runStatement(executor, statement, particulars);
}

/** Sends one statement. */
export function runStatement(
  executor: Executor,
  { sql, values, idAt, externalIdAt, answersAt }: ScriptStatement,
  { id, externalId, answers }: Particulars,
): Promise<unknown> {
  const bindings = values.slice();
  for (const at of idAt) bindings[at] = id;
  if (externalId !== undefined) for (const at of externalIdAt) bindings[at] = externalId;
  if (answers !== undefined) for (const at of answersAt) bindings[at] = answers;
  return new Promise((resolve, reject) => {
    executor.execute(sql, bindings as never[], (error, result) => {
      if (error !== null) reject(error);
      else if (rowsOf(result) === 1) resolve(result);
      else reject(new Error(`found ${rowsOf(result)} rows instead of one: ${sql}`));
    });
  });
}

function rowsOf(result: unknown): number {
  return Array.isArray(result) ? (result as RowDataPacket[]).length : (result as ResultSetHeader).affectedRows;
}
