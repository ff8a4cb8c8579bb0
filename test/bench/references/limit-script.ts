// The least that a whole assessment can mean to a database: three writes that last and one read, each by primary key. There
// is no partner, no revision, no index, no event and no audit in it.
import type { Connection } from "mysql2/promise";
import { answersToBytes } from "../../../src/store/sessions/session-rows.ts";
import type { Sample } from "../load/orders.ts";
import type { Script, ScriptStatement } from "./script.ts";

/** Creates the table, and says what a whole assessment does to it. */
export async function createLimitScript(connection: Connection, sample: Sample): Promise<Script> {
  await connection.query(
    `CREATE TABLE bench_limit
       (id BINARY(16) NOT NULL PRIMARY KEY, answers VARBINARY(1000) NOT NULL, results MEDIUMBLOB NULL)`,
  );
  const answers = answersToBytes(sample.answers.map(({ value }) => value));
  const results = Buffer.from(sample.storedResults, "hex");
  return {
    create: [statement("INSERT INTO bench_limit (id, answers) VALUES (?, '')", [])],
    record: [statement("UPDATE bench_limit SET answers = ? WHERE id = ?", [answers])],
    complete: [statement("UPDATE bench_limit SET results = ? WHERE id = ?", [results])],
    results: [statement("SELECT results FROM bench_limit WHERE id = ?", [])],
  };
}

/** A statement whose last value is the id. */
function statement(sql: string, before: readonly Buffer[]): ScriptStatement {
  return { sql, values: [...before, Buffer.alloc(16)], idAt: [before.length], externalIdAt: [], answersAt: [] };
}
