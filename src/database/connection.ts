// Connections of the pool, lent for one piece of work, observed, and the work done again where its connection or a lock
// failed it.
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { Refusal } from "../kernel/errors/refusal.ts";
import { asRefusal, troubleOf } from "./database-errors.ts";

const maxTries = 3;
/** Before the second try; each further pause is three times as long. */
const firstPauseMs = 50;

type Work<T> = (connection: Connection) => Promise<T>;

/** Lends a connection to work that is done once. Throws `unavailable`. */
export async function onConnection<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  try {
    return await lend(db, signal, work);
  } catch (error) {
    throw asRefusal(error);
  }
}

/**
 * Lends a connection to work that may be done twice: after a lost connection nobody knows whether the first try
 * happened. It is tried again on another connection, and after losing against another transaction, a few times and
 * within the signal's time. Throws `unavailable`.
 */
export async function repeatable<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lend(db, signal, work);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined || trouble === "refused" || tries === maxTries) throw asRefusal(error);
      await pause(jittered(firstPauseMs * 3 ** (tries - 1)), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Lends a connection to work that happens wholly or not at all, and is done again as above unless it may have happened. */
export function inTransaction<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  return repeatable(db, signal, async (connection) => {
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
      // An error of the domain is not tried again.
      throw troubleOf(error) === "lost" ? asRefusal(error) : error;
    });
    return result;
  });
}

/**
 * Ends a transaction that failed. A connection that may be lost is ended instead, which cannot fail; but a server may
 * notice that late, and holds the locks until then: the next try would wait for them, or pass over what they hold.
 */
async function rollBack(connection: Connection, error: unknown): Promise<void> {
  const trouble = troubleOf(error);
  if (trouble !== undefined && trouble !== "contended") return discard(connection);
  await observed(connection, "ROLLBACK", () => connection.promise().rollback()).catch(() => discard(connection));
}

/**
 * Lends a connection. When the signal aborts, the caller waits no longer and the connection is thrown away: the driver
 * would leave its command pending until the server answers, and with it a place in the pool. So is one that is lost or
 * leads to a server which takes no writes; the idle ones lead there as well then.
 */
function lend<T>(db: Knex, signal: AbortSignal, work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(deadlineExceeded());
    const { client } = db;
    let lent: Connection | undefined;
    const giveBack = () => {
      signal.removeEventListener("abort", cut);
      if (lent !== undefined) void client.releaseConnection(lent);
      lent = undefined;
    };
    const cut = () => {
      reject(deadlineExceeded());
      if (lent !== undefined) discard(lent);
      giveBack();
    };
    signal.addEventListener("abort", cut, { once: true });
    const succeed = (result: T) => {
      giveBack();
      resolve(result);
    };
    const fail = (error: unknown) => {
      const trouble = troubleOf(error);
      if (lent !== undefined && (trouble === "lost" || trouble === "unfit")) discard(lent);
      if (trouble === "unfit") for (const { resource } of client.pool.free) discard(resource);
      giveBack();
      reject(error);
    };
    const begin = (connection: Connection) => {
      lent = connection;
      if (signal.aborted) giveBack();
      else work(connection).then(succeed, fail);
    };
    client.acquireConnection().then(begin).catch(fail);
  });
}

/** Ends a connection at once. The driver would leave half of it open, until a server that may be frozen closes it. */
export function discard(connection: Connection): void {
  connection.destroy();
  const { socket, open = [] } = (connection as Opened)[state] ?? {};
  socket?.destroy();
  // The driver would tell nobody that they are over.
  for (const end of open) end(new Error("the connection was given up"));
}

function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}

function deadlineExceeded(): Refusal {
  return new Refusal("deadline_exceeded", "The deadline passed before the database answered.");
}

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

interface State {
  readonly socket: Socket;
  readonly observer: StoreObserver | undefined;
  /** Statements under way. */
  readonly open: Set<End>;
}

const state = Symbol("state");
type Opened = Connection & { [state]?: State };

/** Takes over a connection that was opened on a socket. @param observer notified of its statements */
export function takeOver(connection: Connection, socket: Socket, observer: StoreObserver | undefined): void {
  (connection as Opened)[state] = { socket, observer, open: new Set() };
}

/** Tells of every caller that asks the pool for a connection: as many at a time as wait for one. */
export function observeWaits({ client: { pool } }: Knex, observer: StoreObserver): void {
  const waits = new Map<number, End>();
  const end = (id: number, error?: unknown) => {
    waits.get(id)?.(error);
    waits.delete(id);
  };
  pool.on("acquireRequest", (id: number) => waits.set(id, observer.beginWait()));
  pool.on("acquireSuccess", (id: number) => end(id));
  pool.on("acquireFail", end);
}

/** Tells of a statement that begins; undefined if nobody observes the connection. */
export function beginStatement(connection: Connection, summary: string, sql: string): End | undefined {
  const { observer, open } = (connection as Opened)[state] ?? {};
  if (observer === undefined || open === undefined) return undefined;
  const end = observer.beginStatement(summary, sql);
  const endOnce: End = (error) => {
    if (open.delete(endOnce)) end(error);
  };
  open.add(endOnce);
  return endOnce;
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
