// A connection to the database: sends statements, reports them, and ends at once when it is given up.
import { Socket } from "node:net";
import {
  type ConnectionOptions,
  createConnection,
  type Connection as DriverConnection,
  type QueryError,
  type ResultSetHeader,
  type RowDataPacket,
} from "mysql2";
import { classifyError, hasCode, toRefusalIfUnavailable } from "./database-errors.ts";
import { type SqlValue, type Statement, toBindings } from "./statement.ts";

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

/** Detects dead peers while a connection is idle. */
const keepAliveDelayMs = 10_000;
/** So that connections move to new servers; each lives up to a minute longer, so that not all end at a time. */
const lifetimeMs = 600_000;
const lifetimeJitterMs = 60_000;

/** Throughout, statements reject as the driver does. */
export class Connection {
  /** The driver's own, for settings and migrations. */
  readonly driver: DriverConnection;
  readonly openedAt = performance.now();
  readonly #endsAt = this.openedAt + lifetimeMs + lifetimeJitterMs * Math.random();
  readonly #socket = new Socket().setNoDelay(true).setKeepAlive(true, keepAliveDelayMs);
  readonly #observer: StoreObserver | undefined;
  /**
   * Whether it is to the keyspaces of a vtgate, `@primary`, or to one shard, such as `assess:-40`. The driver sends numbers of
   * prepared statements as doubles: vtgate takes none as the `LIMIT` of rows that it merges, and to prepare a statement for a
   * shard it runs it with NULL for every value. So statements are sent as text.
   */
  readonly #isOfVitess: boolean;

  /** @param observer of its statements */
  constructor(options: ConnectionOptions, observer: StoreObserver | undefined) {
    this.#observer = observer;
    this.driver = createConnection({ ...options, stream: this.#socket });
    // The error of a connection that is lost while nobody uses it.
    this.driver.on("error", (error) => this.discard(error));
    const { socketPath, host, port = 3306, database = "" } = this.driver.config;
    this.#isOfVitess = /[@:]/.test(database);
    this.#socket.connect(socketPath ? { path: socketPath } : { host, port });
  }

  /** Whether it may be lent. */
  get isFit(): boolean {
    return !this.#socket.destroyed && performance.now() < this.#endsAt;
  }

  /** Logs in. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.driver.connect((error) => (error === null ? resolve() : reject(error)));
    });
  }

  /**
   * Runs a statement: prepared, unless it has lists, since each length would be another prepared statement. With an empty list
   * nothing is sent: it names no rows.
   */
  execute({ sql, placeholders, summary }: Statement<unknown>, values: object): Promise<unknown> {
    const bindings = toBindings(placeholders, values);
    if (bindings.some((value) => Array.isArray(value) && value.length === 0)) return Promise.resolve(undefined);
    return this.#send(summary, sql, bindings, !bindings.some(Array.isArray));
  }

  /** The objects that a query finds. */
  async findAll<T>(query: Statement<T>, values: object): Promise<T[]> {
    const rows = (await this.execute(query, values)) as RowDataPacket[] | undefined;
    return rows === undefined ? [] : rows.map(query.fromRow);
  }

  /**
   * The objects that a query finds for each of the values, by one statement: as text, since each number of queries would be
   * another prepared statement.
   */
  async findEach<T>(query: Statement<T>, values: readonly object[]): Promise<T[]> {
    if (values.length === 0) return [];
    const { sql, placeholders, summary } = query;
    const text = values.map(() => `(${sql})`).join(" UNION ALL ");
    const bindings = values.flatMap((each) => toBindings(placeholders, each));
    return ((await this.#send(summary, text, bindings, false)) as RowDataPacket[]).map(query.fromRow);
  }

  /** The number of rows that a write matched. */
  async write(statement: Statement<unknown>, values: object): Promise<number> {
    const result = await this.execute(statement, values);
    return (result as ResultSetHeader | undefined)?.affectedRows ?? 0;
  }

  /** Inserts a row. False: the key exists, and nothing was inserted. */
  async insertIfAbsent(statement: Statement<unknown>, values: object): Promise<boolean> {
    try {
      await this.execute(statement, values);
      return true;
    } catch (error) {
      if (hasCode(error, "ER_DUP_ENTRY")) return false;
      throw error;
    }
  }

  /** Runs a transaction. Throws `unavailable` if it may have been committed. */
  async transact<T>(work: () => Promise<T>): Promise<T> {
    await this.driver.promise().beginTransaction();
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.#rollBack(error);
      throw error;
    }
    try {
      await this.#send("COMMIT", "COMMIT", [], false);
    } catch (error) {
      this.discard();
      throw classifyError(error) === "lost" ? toRefusalIfUnavailable(error) : error;
    }
    return result;
  }

  /**
   * Ends a failed transaction. A connection that may be lost is closed instead, which cannot fail. But a server may notice
   * that late, and hold the locks until then: a retry would wait for them, or skip the rows that they hold.
   */
  async #rollBack(error: unknown): Promise<void> {
    const kind = classifyError(error);
    if (kind !== undefined && kind !== "contended") return this.discard();
    await this.#send("ROLLBACK", "ROLLBACK", [], false).catch(() => this.discard());
  }

  async #send(summary: string, sql: string, bindings: readonly SqlValue[], isPrepared: boolean): Promise<unknown> {
    const end = this.#observer?.beginStatement(summary, sql);
    try {
      const result = await new Promise((resolve, reject) => {
        const settle = (error: QueryError | null, answer: unknown) =>
          error === null ? resolve(answer) : reject(error);
        if (isPrepared && !this.#isOfVitess) this.driver.execute(sql, bindings as never[], settle);
        else this.driver.query(sql, bindings as never[], settle);
      });
      end?.();
      return result;
    } catch (error) {
      end?.(error);
      throw error;
    }
  }

  /**
   * Closes it at once; its statements fail with the error. The driver would keep half of it open until the server, which may
   * be frozen, closes it.
   */
  discard(error = new Error("the connection was given up")): void {
    this.driver.destroy();
    this.#socket.destroy(error);
  }

  /** Closes it after its last statement. */
  close(): void {
    if (!this.#socket.destroyed) this.driver.end(() => undefined);
  }
}
