// Lends connections of the pool for one piece of work, observes it, and retries it after a lost connection or a failed
// lock.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection, ConnectionOptions } from "mysql2";
import { Refusal } from "../kernel/errors/refusal.ts";
import { classifyError, PoolTimeoutError, toRefusalIfUnavailable, unavailableError } from "./database-errors.ts";

const maxTries = 3;
/** Pause before the first retry; each further pause is three times as long. */
const firstPauseMs = 50;

type Work<T> = (connection: Connection) => Promise<T>;

/** Lends a connection to work that must not be retried. Throws `unavailable`. */
export async function onConnection<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  try {
    return await lend(db, signal, work);
  } catch (error) {
    throw toRefusalIfUnavailable(error);
  }
}

/**
 * Lends a connection to work that may happen twice: after a lost connection nobody knows whether the first try did. It is
 * retried on another connection, and after losing against another transaction, a few times and within the signal's
 * time. Throws `unavailable`.
 */
export async function runRepeatably<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lend(db, signal, work);
    } catch (error) {
      const kind = classifyError(error);
      if (kind === undefined || kind === "refused" || tries === maxTries) throw toRefusalIfUnavailable(error);
      await pause(addJitter(firstPauseMs * 3 ** (tries - 1)), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Lends a connection to a transaction, and retries it as above unless it may have been committed. */
export function runTransaction<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  return runRepeatably(db, signal, (connection) => transact(connection, work));
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
  await observe(connection, "COMMIT", () => connection.promise().commit()).catch((error: unknown) => {
    discard(connection);
    // Errors of the domain are not retried.
    throw classifyError(error) === "lost" ? toRefusalIfUnavailable(error) : error;
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
  await observe(connection, "ROLLBACK", () => connection.promise().rollback()).catch(() => discard(connection));
}

/** The pool of Knex, as far as it is used here. */
interface ConnectionPool {
  acquire(): ConnectionRequest;
  release(connection: Connection): void;
}

interface ConnectionRequest {
  readonly promise: Promise<Connection>;
  isRejected: boolean;
  reject(error: unknown): void;
}

/** What the borrowers of a pool share. */
export interface PoolState {
  readonly observer: StoreObserver | undefined;
  /** Connections that nobody uses. */
  readonly idle: Set<Connection>;
  /** Requests for a connection that wait. */
  readonly requests: Set<ConnectionRequest>;
}

/**
 * Lends a connection: a new one, or if none can be made, one that others give back. If the signal aborts, the connection is
 * closed: otherwise the driver would keep its command, and its place in the pool, until the server answers. A connection that
 * is lost, or leads to a server that accepts no writes, is closed too; in the second case so are the idle ones. The work must
 * wait for nothing but its connection: after an abort it ends by the errors of that.
 */
async function lend<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  const pool: ConnectionPool | undefined = db.client.pool;
  if (signal.aborted) throw deadlineExceededError();
  if (pool === undefined) throw unavailableError(new Error("the pool is closed"));
  const state: PoolState = db.userParams.state;
  const request = pool.acquire();
  let connection: Connection | undefined;
  const abort = () => {
    if (connection !== undefined) return discard(connection);
    // The pool may be about to give it one, and would count that as used for ever.
    request.isRejected = true;
    request.reject(deadlineExceededError());
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    connection = await waitForConnection(request, state);
    signal.throwIfAborted();
    return await work(connection);
  } catch (error) {
    if (signal.aborted) throw deadlineExceededError();
    const kind = classifyError(error);
    if (connection !== undefined && (kind === "lost" || kind === "unfit")) discard(connection);
    if (kind === "unfit") for (const idle of state.idle) discard(idle);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    if (connection !== undefined) {
      state.idle.add(connection);
      pool.release(connection);
    }
  }
}

async function waitForConnection(
  request: ConnectionRequest,
  { observer, idle, requests }: PoolState,
): Promise<Connection> {
  const end = observer?.beginWait();
  requests.add(request);
  try {
    const connection = await request.promise;
    idle.delete(connection);
    end?.();
    return connection;
  } catch (error) {
    end?.(error);
    // All other errors of the pool say that it took too long, or that the pool is closed.
    throw error instanceof Refusal || classifyError(error) === "lost"
      ? error
      : unavailableError(new PoolTimeoutError());
  } finally {
    requests.delete(request);
  }
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function readPoolState({ client: { pool } }: Knex): { used: number; free: number; pending: number } {
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}

/** Follows what a pool reports. @param onCreateFail called when a connection cannot be made */
export function watchPool(
  { client: { pool } }: Knex,
  { idle, requests }: PoolState,
  onCreateFail: (error: unknown) => void,
): void {
  pool.on("destroyRequest", (_id: number, connection: Connection) => idle.delete(connection));
  pool.on("createFail", (_id: number, error: unknown) => {
    onCreateFail(error);
    if (pool.numUsed() + pool.numFree() + pool.numPendingCreates() > 0) return;
    // There is none to wait for.
    for (const request of requests) request.reject(classifyError(error) === "lost" ? error : unavailableError(error));
  });
}

/**
 * Closes a connection at once; its statements fail with the error. The driver would keep half of it open until the server,
 * which may be frozen, closes it.
 */
export function discard(connection: Connection, error = new Error("the connection was given up")): void {
  // From here on the pool lends it to nobody.
  connection.destroy();
  (connection.config as ObservedOptions)[socketKey]?.socket.destroy(error);
}

function addJitter(ms: number): number {
  return ms * (0.5 + Math.random());
}

function deadlineExceededError(): Refusal {
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

const socketKey = Symbol("socket");
type ObservedOptions = ConnectionOptions & {
  [socketKey]?: { readonly socket: Socket; readonly observer: StoreObserver | undefined };
};

/** Detects dead peers while a connection is idle. */
const keepAliveInitialDelay = 10_000;

/** Opens the socket of a connection as the driver would. @param observer of its statements */
export function openSocket(options: ConnectionOptions, observer: StoreObserver | undefined): Socket {
  const { socketPath, host, port = 3306 } = options;
  const socket = socketPath
    ? connect(socketPath)
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay });
  (options as ObservedOptions)[socketKey] = { socket, observer };
  return socket;
}

/** Sends something on a connection, and reports it. @param sql the same as the summary if it is no statement, such as a commit */
export async function observe<T>(
  { config }: Connection,
  summary: string,
  send: () => Promise<T>,
  sql = summary,
): Promise<T> {
  const end = (config as ObservedOptions)[socketKey]?.observer?.beginStatement(summary, sql);
  try {
    const result = await send();
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
