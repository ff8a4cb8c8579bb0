// Statements: written once through Knex, then run as prepared statements on Knex's own connections.
import type { Knex } from "knex";
import type { Connection, QueryError, ResultSetHeader, RowDataPacket } from "mysql2";
import { DomainError } from "../domain/errors.ts";
import { toDomainError } from "./database-errors.ts";

/** Bytes are always a Buffer: the driver would send any other view of them as text. */
export type SqlValue = string | number | Buffer | Date | null;

/** A statement whose bindings are names, written `":name"` in the builder. */
export interface Statement {
  readonly sql: string;
  readonly names: readonly string[];
}

/** Compiles a builder once. Each binding is a marker `":name"`; all else must stand in the SQL itself. */
export function compile(builder: Knex.QueryBuilder | Knex.Raw): Statement {
  const { sql, bindings } = builder.toSQL().toNative();
  const names = bindings.map((binding) => {
    if (typeof binding !== "string" || !binding.startsWith(":")) throw new Error(`no binding name in: ${sql}`);
    return binding.slice(1);
  });
  return { sql, names };
}

/** The rows that a query finds. Throws as the Store port says. */
export async function fetchRows(
  db: Knex,
  statement: Statement,
  values: Readonly<Record<string, SqlValue>>,
  signal: AbortSignal,
): Promise<RowDataPacket[]> {
  const result = await onConnection(db, signal, (connection) => execute(connection, statement, values));
  return result as RowDataPacket[];
}

/** The number of rows that a write matched. Throws as the Store port says. */
export async function write(
  db: Knex,
  statement: Statement,
  values: Readonly<Record<string, SqlValue>>,
  signal: AbortSignal,
): Promise<number> {
  const result = await onConnection(db, signal, (connection) => execute(connection, statement, values));
  return (result as ResultSetHeader).affectedRows;
}

/** Runs a statement on a connection that the caller holds. */
export function execute(
  connection: Connection,
  { sql, names }: Statement,
  values: Readonly<Record<string, SqlValue>>,
): Promise<unknown> {
  const bindings = names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for :${name}`);
    return value;
  });
  return new Promise((resolve, reject) => {
    connection.execute(sql, bindings as never[], (error: QueryError | null, result: unknown) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

/**
 * Lends a connection to the work. When the signal aborts, the caller waits no longer and the connection is thrown away:
 * the driver would leave its command pending until the server answers, and with it a place in the pool.
 */
export function onConnection<T>(
  db: Knex,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(deadlineExceeded());
    let lent: Connection | undefined;
    const giveBack = () => {
      signal.removeEventListener("abort", cut);
      if (lent !== undefined) void db.client.releaseConnection(lent);
      lent = undefined;
    };
    const cut = () => {
      reject(deadlineExceeded());
      lent?.destroy();
      giveBack();
    };
    signal.addEventListener("abort", cut, { once: true });
    const refuse = (error: unknown) => reject(toDomainError(error));
    db.client
      .acquireConnection()
      .then((connection: Connection) => {
        lent = connection;
        return signal.aborted ? undefined : work(connection).then(resolve, refuse);
      }, refuse)
      .finally(giveBack);
  });
}

/** Lends a connection to work that happens wholly or not at all. */
export function inTransaction<T>(
  db: Knex,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return onConnection(db, signal, async (connection) => {
    await connection.promise().beginTransaction();
    try {
      const result = await work(connection);
      await connection.promise().commit();
      return result;
    } catch (error) {
      // Ending the connection rolls back, and unlike a rollback it cannot fail.
      connection.destroy();
      throw error;
    }
  });
}

function deadlineExceeded(): DomainError {
  return new DomainError("deadline_exceeded", "The deadline passed before the database answered.");
}
