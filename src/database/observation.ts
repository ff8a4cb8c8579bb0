// What is reported of the database's work: how long callers wait for connections, and how long statements take.
import type { Connection } from "mysql2";

/** Notified when what began is over. @param error undefined for a success */
export type End = (error?: unknown) => void;

export interface StoreObserver {
  /** A caller asks for a connection. */
  beginWait(): End;
  /**
   * A statement is sent.
   * @param summary its verb and first table, such as `SELECT sessions`: as many as there are in the code
   * @param sql with a marker in the place of every value
   */
  beginStatement(summary: string, sql: string): End;
}

interface Observation {
  readonly by: StoreObserver;
  /** Statements under way. */
  readonly open: Set<End>;
}

const observation = Symbol("observation");
type Observed = Connection & { [observation]?: Observation };

/** Has all statements of a connection observed. */
export function observeConnection(connection: Connection, by: StoreObserver | undefined): void {
  if (by !== undefined) (connection as Observed)[observation] = { by, open: new Set() };
}

/** Tells of a statement that begins; undefined if nobody observes the connection. */
export function beginStatement(connection: Connection, summary: string, sql: string): End | undefined {
  const observed = (connection as Observed)[observation];
  if (observed === undefined) return undefined;
  const end = observed.by.beginStatement(summary, sql);
  const endOnce: End = (error) => {
    if (observed.open.delete(endOnce)) end(error);
  };
  observed.open.add(endOnce);
  return endOnce;
}

/** Tells that the statements under way are over, on a connection that is given up: the driver would tell nobody. */
export function endStatements(connection: Connection, error: unknown): void {
  for (const end of (connection as Observed)[observation]?.open ?? []) end(error);
}

/** Does work on a connection that is no statement of a table, such as a commit. */
export async function observed<T>(connection: Connection, name: string, work: () => Promise<T>): Promise<T> {
  const end = beginStatement(connection, name, name);
  try {
    const result = await work();
    end?.();
    return result;
  } catch (error) {
    end?.(error);
    throw error;
  }
}

/** Verb and first table of a statement, such as `SELECT sessions`; the verb alone if it names no table. */
export function summaryOf(sql: string): string {
  const [, verb = "other"] = /^\s*(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+`?(\w+)/i.exec(sql) ?? [];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}
