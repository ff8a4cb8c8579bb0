// Lends connections of the pool for one piece of work, observes it, and retries it after a lost connection or a failed
// lock.
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { Refusal } from "../kernel/errors/refusal.ts";
import { asRefusal, classifyError, unavailable } from "./database-errors.ts";

const maxTries = 3;
/** Pause before the first retry; each further pause is three times as long. */
const firstPauseMs = 50;

type Work<T> = (connection: Connection) => Promise<T>;

/** Lends a connection to work that must not be retried. Throws `unavailable`. */
export async function onConnection<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  try {
    return await lend(db, signal, work);
  } catch (error) {
    throw asRefusal(error);
  }
}

/**
 * Lends a connection to work that may happen twice: after a lost connection nobody knows whether the first try did. It is
 * retried on another connection, and after losing against another transaction, a few times and within the signal's
 * time. Throws `unavailable`.
 */
export async function repeatable<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lend(db, signal, work);
    } catch (error) {
      const kind = classifyError(error);
      if (kind === undefined || kind === "refused" || tries === maxTries) throw asRefusal(error);
      await pause(jitter(firstPauseMs * 3 ** (tries - 1)), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Lends a connection to a transaction, and retries it as above unless it may have been committed. */
export function inTransaction<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  return repeatable(db, signal, (connection) => transact(connection, work));
}

/** Runs a transaction on a connection that the caller holds. */
export async function transact<T>(connection: Connection, work: Work<T>): Promise<T> {
  await connection.promise().beginTransaction();
  let result: T;
  try {
    result = await work(connection);
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
  await observed(connection, "COMMIT", () => connection.promise().commit()).catch((error: unknown) => {
    discard(connection);
    // Errors of the domain are not retried.
    throw classifyError(error) === "lost" ? asRefusal(error) : error;
  });
  return result;
}

/**
 * Ends a failed transaction. A connection that may be lost is closed instead, which cannot fail. But a server may notice
 * that late, and hold the locks until then: a retry would wait for them, or skip the rows that they hold.
 */
async function rollBack(connection: Connection, error: unknown): Promise<void> {
  const kind = classifyError(error);
  if (kind !== undefined && kind !== "contended") return discard(connection);
  await observed(connection, "ROLLBACK", () => connection.promise().rollback()).catch(() => discard(connection));
}

/**
 * Lends a connection: a new one, or if none can be made, one that others give back. If the signal aborts, the caller stops
 * waiting and the connection is closed: otherwise the driver would keep its command, and its place in the pool, until the
 * server answers. A connection that is lost, or leads to a server that accepts no writes, is closed too; in the second case
 * so are the idle ones.
 */
function lend<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(deadlineExceeded());
    const { client } = db;
    const waiting: Waiting = db.userParams.waiting;
    let isOver = false;
    let lentConnection: Connection | undefined;
    const release = () => {
      isOver = true;
      waiting.delete(failToConnect);
      signal.removeEventListener("abort", abort);
      if (lentConnection !== undefined) void client.releaseConnection(lentConnection);
      lentConnection = undefined;
    };
    const abort = () => {
      reject(deadlineExceeded());
      if (lentConnection !== undefined) discard(lentConnection);
      release();
    };
    const failToConnect = (error: unknown) => {
      release();
      reject(classifyError(error) === "lost" ? error : unavailable(error));
    };
    signal.addEventListener("abort", abort, { once: true });
    const succeed = (result: T) => {
      release();
      resolve(result);
    };
    const fail = (error: unknown) => {
      const kind = classifyError(error);
      if (lentConnection !== undefined && (kind === "lost" || kind === "unfit")) discard(lentConnection);
      if (kind === "unfit")
        for (const idle of (lentConnection as OpenConnection | undefined)?.[state]?.idle ?? []) discard(idle);
      release();
      reject(error);
    };
    const begin = (connection: Connection) => {
      lentConnection = connection;
      waiting.delete(failToConnect);
      if (isOver) release();
      else work(connection).then(succeed, fail);
    };
    waiting.add(failToConnect);
    client.acquireConnection().then(begin, failToConnect);
  });
}

/** Callers that wait for a connection of a pool: each is told why none can be made. */
export type Waiting = Set<(error: unknown) => void>;

/** Closes a connection at once. The driver would keep half of it open until the server, which may be frozen, closes it. */
export function discard(connection: Connection): void {
  connection.destroy();
  const { socket, open = [] } = (connection as OpenConnection)[state] ?? {};
  socket?.destroy();
  // The driver does not report the end of these.
  for (const end of open) end(new Error("the connection was given up"));
}

function jitter(ms: number): number {
  return ms * (0.5 + Math.random());
}

function deadlineExceeded(): Refusal {
  return new Refusal("deadline_exceeded", "The deadline passed before the database answered.");
}

/** Called at the end. @param error undefined for a success */
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

interface State {
  readonly socket: Socket;
  readonly observer: StoreObserver | undefined;
  /** Connections of its pool that nobody uses. */
  readonly idle: ReadonlySet<Connection>;
  /** Running statements. */
  readonly open: Set<End>;
}

const state = Symbol("state");
type OpenConnection = Connection & { [state]?: State };

/** Wraps a connection that was opened on a socket. @param about the observer of its statements, and its pool's connections */
export function attachState(connection: Connection, socket: Socket, about: Pick<State, "observer" | "idle">): void {
  (connection as OpenConnection)[state] = { ...about, socket, open: new Set() };
}

interface PoolWatch {
  /** Holds the connections that nobody uses. */
  readonly idle: Set<Connection>;
  /** They wait while there is a connection, or one is being made, and no longer: none will be given back. */
  readonly waiting: Waiting;
  /** Told of each caller that asks for a connection, from then until it gets one. */
  readonly observer: StoreObserver | undefined;
  /** Called when a connection cannot be made. */
  readonly onCreateFail: (error: unknown) => void;
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function readPoolState({ client: { pool } }: Knex): { used: number; free: number; pending: number } {
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}

/** Follows what a pool reports. */
export function watchPool({ client: { pool } }: Knex, { idle, waiting, observer, onCreateFail }: PoolWatch): void {
  const waits = new Map<number, End>();
  const endWait = (id: number, error?: unknown) => {
    waits.get(id)?.(error);
    waits.delete(id);
  };
  if (observer !== undefined) pool.on("acquireRequest", (id: number) => waits.set(id, observer.beginWait()));
  pool.on("acquireFail", endWait);
  pool.on("acquireSuccess", (id: number, connection: Connection) => {
    endWait(id);
    idle.delete(connection);
  });
  pool.on("release", (connection: Connection) => idle.add(connection));
  pool.on("destroyRequest", (_id: number, connection: Connection) => idle.delete(connection));
  pool.on("createFail", (_id: number, error: unknown) => {
    onCreateFail(error);
    const usableCount = pool.numUsed() + pool.numFree() + pool.numPendingCreates();
    if (usableCount === 0) for (const fail of waiting) fail(error);
  });
}

/** Reports the start of a statement; undefined if the connection is not observed. */
export function beginStatement(connection: Connection, summary: string, sql: string): End | undefined {
  const { observer, open } = (connection as OpenConnection)[state] ?? {};
  if (observer === undefined || open === undefined) return undefined;
  const end = observer.beginStatement(summary, sql);
  const endOnce: End = (error) => {
    if (open.delete(endOnce)) end(error);
  };
  open.add(endOnce);
  return endOnce;
}

/** Runs work on a connection that is no statement, such as a commit, and reports it. */
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
export function summarizeSql(sql: string): string {
  const [, verb = "other"] = /^[\s(]*(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+`?(\w+)/i.exec(sql) ?? [];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}
