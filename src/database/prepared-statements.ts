// Statements that a connection has prepared. The driver keeps them too, but finds them by a key that it makes of the whole
// text for every execution.
import type { Connection, PrepareStatementInfo, QueryError } from "mysql2";

/**
 * Prepared statements that a connection keeps: more than there are, so that none is prepared twice, and few enough for
 * the limit that all connections of a server share (`max_prepared_stmt_count`).
 */
export const maxPreparedStatements = 256;
/** Fewer than the driver, which closes the one that was prepared or asked for the longest ago: none of these is closed. */
const maxKept = maxPreparedStatements / 2;

const kept = Symbol("prepared statements");
type Preparing = Connection & { [kept]?: Map<string, PrepareStatementInfo> };

/**
 * Runs a statement, which is prepared first unless the connection has it. What the connection is given before that is
 * done runs earlier, so a caller waits for one statement before it sends the next.
 */
export function executePrepared(
  connection: Connection,
  text: string,
  values: readonly unknown[],
  done: (error: QueryError | null, result: unknown) => void,
): void {
  const statements = keptBy(connection);
  const known = statements.get(text);
  if (known !== undefined) {
    known.execute(values, done);
    return;
  }
  connection.prepare(text, (error, statement) => {
    if (error !== null) return done(error, undefined);
    const [oldest] = statements.keys();
    if (statements.size === maxKept && oldest !== undefined) statements.delete(oldest);
    statements.set(text, statement);
    statement.execute(values, done);
  });
}

function keptBy(connection: Preparing): Map<string, PrepareStatementInfo> {
  connection[kept] ??= new Map();
  return connection[kept];
}
