// The database: a pool of connections, lent for one piece of work, which is retried after a lost connection or a failed lock.
import { setTimeout as pause } from "node:timers/promises";
import createKnex from "knex";
import type { ConnectionOptions } from "mysql2";
import { Refusal } from "../kernel/errors/refusal.ts";
import { Connection, type StoreObserver } from "./connection.ts";
import {
  classifyError,
  describeFault,
  isMisconfigured,
  PoolTimeoutError,
  readErrorCode,
  toRefusalIfUnavailable,
  unavailableError,
} from "./database-errors.ts";
import { readDatabaseUrl } from "./database-url.ts";
import { idleTimeoutMs, setUpSession } from "./session-settings.ts";
import type { Statement } from "./statement.ts";

/** The address of the database. */
export interface DatabaseAddress {
  readonly url: string;
}

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  /** Most connections at a time. */
  readonly poolSize: number;
  /** Called with a connection that cannot be made, at most once a second for each reason. */
  readonly warn: (failure: ConnectionFailure) => void;
  /** The longest wait of work for a connection; by default that of a call. */
  readonly acquireTimeoutMs?: number;
  /** Statements that set up each connection, in addition to the common settings. */
  readonly settings?: readonly string[];
  /** Receives waits for connections, and statements. */
  readonly observer?: StoreObserver | undefined;
}

/** The reason why a connection cannot be made. Nothing in it is secret. */
export interface ConnectionFailure {
  /** The error's code, such as ECONNREFUSED or ER_ACCESS_DENIED_ERROR. */
  readonly code: string;
  /** Name or address of the host, or the path of the socket. */
  readonly host: string;
  /** Undefined for a socket. */
  readonly port: number | undefined;
  /** In one sentence for operators. */
  readonly fault: string;
  /** Whether it remains until a setting is changed. */
  readonly isMisconfigured: boolean;
}

/** A wait this long for a full pool means overload: the caller gets `unavailable`. */
const callAcquireTimeoutMs = 2_000;
/** For background work. Connections time out sooner than this, so that the log names the reason. */
export const backgroundAcquireTimeoutMs = 30_000;
/** Time limit for a new connection, with its settings. */
const connectTimeoutMs = 5_000;

const warnIntervalMs = 1_000;

/**
 * Prepared statements that a connection keeps: more than the code has, so that none is prepared twice, and few enough for
 * the limit of the server (`max_prepared_stmt_count`), which all its connections share.
 */
export const maxPreparedStatements = 256;

const maxTries = 3;
/** Pause before the first retry; each further pause is three times as long. */
const firstPauseMs = 50;

type Pool = createKnex.KnexPool<Connection>;
type PendingConnection = ReturnType<Pool["acquire"]>;
type Use<T> = (connection: Connection) => Promise<T>;

/**
 * A database. Its methods throw `unavailable` (see `toRefusalIfUnavailable`), and `deadline_exceeded` when the signal aborts.
 * Those that may do their work twice say so: after a lost connection nobody knows whether the first try did it.
 */
export class Database {
  readonly pool: Pool;
  readonly #options: DatabaseOptions;
  readonly #driverOptions: ConnectionOptions;
  /** Those who wait for a connection. */
  readonly #requests = new Set<PendingConnection>();
  /** When a server last accepted no writes: connections made before are not lent any more. */
  #unfitAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** Connections are made on demand. */
  constructor(options: DatabaseOptions) {
    const { address, poolSize, warn, acquireTimeoutMs = callAcquireTimeoutMs } = options;
    const { host, port, uri, socketPath, tls: ssl } = readDatabaseUrl(address.url);
    this.#options = options;
    this.#driverOptions = {
      timezone: "Z",
      charset: "utf8mb4",
      flags: ["-LOCAL_FILES"],
      maxPreparedStatements,
      uri,
      ...(socketPath && { socketPath }),
      ...(ssl && { ssl }),
    };
    this.pool = new createKnex.KnexPool<Connection>({
      create: () => this.#connect(),
      validate: (connection) => connection.isFit && connection.openedAt > this.#unfitAt,
      destroy: (connection) => connection.close(),
      min: 0,
      max: poolSize,
      acquireTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      // A waiting caller gets a connection that another one releases. Only new callers try again to make one.
      propagateCreateError: false,
      createRetryIntervalMillis: acquireTimeoutMs,
    });
    const place = socketPath === undefined ? { host, port } : { host: socketPath, port: undefined };
    const lastAt = new Map<string, number>();
    this.pool.on("createFail", (_id, error) => {
      this.#rejectRequests(error);
      const code = readErrorCode(error);
      const now = performance.now();
      if (now - (lastAt.get(code) ?? Number.NEGATIVE_INFINITY) < warnIntervalMs) return;
      lastAt.set(code, now);
      warn({ code, ...place, fault: describeFault(error), isMisconfigured: isMisconfigured(error) });
    });
  }

  /** Lends a connection to work that must not be retried. */
  async useConnection<T>(signal: AbortSignal, work: Use<T>): Promise<T> {
    try {
      return await this.#lend(signal, work);
    } catch (error) {
      throw toRefusalIfUnavailable(error);
    }
  }

  /**
   * Lends a connection to work that may happen twice. It is retried on another connection, and after losing against another
   * transaction, a few times and within the signal's time.
   */
  async runRepeatably<T>(signal: AbortSignal, work: Use<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#lend(signal, work);
      } catch (error) {
        const kind = classifyError(error);
        if (kind === undefined || kind === "refused" || tries === maxTries) throw toRefusalIfUnavailable(error);
        await pause(addJitter(firstPauseMs * 3 ** (tries - 1)), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Lends a connection to a transaction, and retries it as above unless it may have been committed. */
  runTransaction<T>(signal: AbortSignal, work: Use<T>): Promise<T> {
    return this.runRepeatably(signal, (connection) => connection.transact(() => work(connection)));
  }

  /** The objects that a query finds. */
  findAll<T>(query: Statement<T>, values: object, signal: AbortSignal): Promise<T[]> {
    return this.runRepeatably(signal, (connection) => connection.findAll(query, values));
  }

  /** The first object that a query finds. */
  async findOne<T>(query: Statement<T>, values: object, signal: AbortSignal): Promise<T | undefined> {
    const [first] = await this.findAll(query, values, signal);
    return first;
  }

  /**
   * The number of rows that a write matched. It may run twice, so it has to be safe to repeat: an update that names the
   * revision it was computed from or sets the same values again, or an insert whose key shows that it already happened.
   */
  write(statement: Statement, values: object, signal: AbortSignal): Promise<number> {
    return this.runRepeatably(signal, (connection) => connection.write(statement, values));
  }

  /** Whether a write, which may run twice as above, matched its row. */
  async writeOne(statement: Statement, values: object, signal: AbortSignal): Promise<boolean> {
    return (await this.write(statement, values, signal)) === 1;
  }

  /** Inserts a row. False: its key exists, from another row or from an earlier try. */
  insertIfAbsent(statement: Statement, values: object, signal: AbortSignal): Promise<boolean> {
    return this.runRepeatably(signal, (connection) => connection.insertIfAbsent(statement, values));
  }

  /** Closes all connections, after the work that they are lent to. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    await this.pool.destroy();
  }

  /**
   * Lends a connection: a free one, a new one, or one that others give back. If the signal aborts, the connection is
   * closed: otherwise the driver would keep its command, and its place in the pool, until the server answers. A connection that
   * is lost, or leads to a server that accepts no writes, is closed too. The work must wait for nothing but its connection:
   * after an abort it ends by the errors of that.
   */
  async #lend<T>(signal: AbortSignal, work: Use<T>): Promise<T> {
    if (signal.aborted) throw deadlineExceededError();
    if (this.#isClosed) throw unavailableError(new Error("the pool is closed"));
    const request = this.pool.acquire();
    let connection: Connection | undefined;
    const abort = () => {
      if (connection !== undefined) return connection.discard();
      // The pool may be about to give it one, and would count that as used for ever.
      request.isRejected = true;
      request.reject(deadlineExceededError());
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      connection = await this.#waitFor(request);
      signal.throwIfAborted();
      return await work(connection);
    } catch (error) {
      if (signal.aborted) throw deadlineExceededError();
      const kind = classifyError(error);
      if (kind === "lost" || kind === "unfit") connection?.discard();
      if (kind === "unfit") this.#unfitAt = performance.now();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
      if (connection !== undefined) this.pool.release(connection);
    }
  }

  async #waitFor(request: PendingConnection): Promise<Connection> {
    const end = this.#options.observer?.beginWait();
    this.#requests.add(request);
    try {
      const connection = await request.promise;
      end?.();
      return connection;
    } catch (error) {
      end?.(error);
      // All other errors of the pool say that it took too long, or that the pool is closed.
      throw error instanceof Refusal || classifyError(error) === "lost"
        ? error
        : unavailableError(new PoolTimeoutError());
    } finally {
      this.#requests.delete(request);
    }
  }

  /** Ends the waits after a connection could not be made, unless there is one to wait for. */
  #rejectRequests(error: Error): void {
    if (this.pool.numUsed() + this.pool.numFree() + this.pool.numPendingCreates() > 0) return;
    const reason = classifyError(error) === "lost" ? error : unavailableError(error);
    for (const request of this.#requests) request.reject(reason);
  }

  async #connect(): Promise<Connection> {
    const { observer, settings = [] } = this.#options;
    const connection = new Connection(this.#driverOptions, observer);
    let timeoutError: Error | undefined;
    const timer = setTimeout(() => {
      timeoutError = Object.assign(new Error("the connection took too long"), { code: "ETIMEDOUT" });
      connection.discard(timeoutError);
    }, connectTimeoutMs);
    try {
      await connection.open();
      await setUpSession(connection.driver.promise(), settings);
      return connection;
    } catch (error) {
      connection.discard();
      // The driver reports any end within the TLS handshake as an error of the certificate.
      throw timeoutError ?? error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function addJitter(ms: number): number {
  return ms * (0.5 + Math.random());
}

function deadlineExceededError(): Refusal {
  return new Refusal("deadline_exceeded", "The deadline passed before the database answered.");
}
