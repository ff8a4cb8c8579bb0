import type { Connection } from "mysql2";

type Done = (error: Error | null, result: unknown) => void;

/**
 * Has whatever is prepared on a connection be run by a function. Of what was prepared before it is not told; `execute` of the
 * connection goes on as before.
 */
export function runPrepared(connection: Connection, run: (sql: string, values: never[], done: Done) => void): void {
  const prepare = (sql: string, prepared: (error: null, statement: object) => void) =>
    prepared(null, { execute: (values: never[], done: Done) => run(sql, values, done) });
  Object.assign(connection, { prepare });
}
