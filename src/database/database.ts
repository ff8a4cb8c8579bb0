// The connection pool: Knex over mysql2, with the session settings that correctness depends on.
import { callbackify } from "node:util";
import createKnex, { type Knex } from "knex";
import type { Connection, ConnectionOptions } from "mysql2";
import { discard, openSocket, type PoolState, type StoreObserver, watchPool } from "./connection.ts";
import { describeFault, hasCode, isMisconfigured, readErrorCode } from "./database-errors.ts";
import { readDatabaseUrl } from "./database-url.ts";
import { setUpSession } from "./session-settings.ts";

/** Where the database is. */
export interface DatabaseAddress {
  readonly url: string;
}

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  /** Most connections at a time. */
  readonly poolSize: number;
  /** Called with a connection that cannot be made, at most once a second for each reason. */
  readonly warn: (failure: ConnectionFailure) => void;
  /** How long work waits for a connection; by default as long as a call does. */
  readonly acquireTimeoutMs?: number;
  /** Statements that set up each connection, in addition to the common settings. */
  readonly settings?: readonly string[];
  /** Receives waits for connections, and statements. */
  readonly observer?: StoreObserver | undefined;
}

/** Why a connection cannot be made. Nothing in it is secret. */
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
const connectTimeoutMillis = 5_000;

const warnIntervalMs = 1_000;

/** Time limit for the settings of a new connection. */
const settingsTimeoutMs = 4_000;

/**
 * Prepared statements that a connection keeps: more than the code has, so that none is prepared twice, and few enough for
 * the limit of the server (`max_prepared_stmt_count`), which all its connections share.
 */
export const maxPreparedStatements = 256;

/** Longer than the pool keeps an idle connection: the locks of a frozen process end after this time. */
const idleTimeoutSetting = "SET SESSION wait_timeout = 60";
/**
 * For connections whose locks other processes wait for: the server closes one that sends or reads nothing for ten seconds,
 * as that of a process that froze in a transaction.
 */
export const freezeTimeoutSetting = "SET SESSION wait_timeout = 10, net_write_timeout = 10, net_read_timeout = 10";
/**
 * A newly elected primary answers nobody before it has applied everything that its predecessor acknowledged. Servers
 * without group replication do not know this setting.
 */
const groupSetting = "SET SESSION group_replication_consistency = 'BEFORE_ON_PRIMARY_FAILOVER'";

const ignore = () => undefined;

/** Opens a pool; connections are made on demand. */
export function openDatabase(options: DatabaseOptions): Knex {
  const { address, poolSize, warn, acquireTimeoutMs = callAcquireTimeoutMs, settings = [], observer } = options;
  const state: PoolState = { observer, idle: new Set(), requests: new Set() };
  const stream = (driver: { readonly config: ConnectionOptions }) => openSocket(driver.config, observer);
  const db = createKnex({
    client: "mysql2",
    connection: { ...toConnectionOptions(address), stream },
    pool: {
      min: 0,
      max: poolSize,
      acquireTimeoutMillis: acquireTimeoutMs,
      createTimeoutMillis: connectTimeoutMillis,
      idleTimeoutMillis: 30_000,
      maxConnectionLifetimeMillis: 600_000,
      maxConnectionLifetimeJitterMillis: 60_000,
      // A waiting caller gets a connection that another one releases. Only new callers try again to make one: see `watchPool`.
      propagateCreateError: false,
      createRetryIntervalMillis: acquireTimeoutMs,
      afterCreate: callbackify((connection: Connection) => applySettings(connection, settings)),
    },
    // Knex logs texts that may hold statements; what operators need is logged below.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  }).withUserParams({ state });
  const place = toHost(address);
  const lastAt = new Map<string, number>();
  const onCreateFail = (error: unknown) => {
    const code = readErrorCode(error);
    const now = performance.now();
    if (now - (lastAt.get(code) ?? Number.NEGATIVE_INFINITY) < warnIntervalMs) return;
    lastAt.set(code, now);
    warn({ code, ...place, fault: describeFault(error), isMisconfigured: isMisconfigured(error) });
  };
  watchPool(db, state, onCreateFail);
  return db;
}

function toHost(address: DatabaseAddress): Pick<ConnectionFailure, "host" | "port"> {
  const { host, port, socketPath } = readDatabaseUrl(address.url);
  return socketPath === undefined ? { host, port } : { host: socketPath, port: undefined };
}

function toConnectionOptions(address: DatabaseAddress): Knex.MySql2ConnectionConfig {
  const { uri, socketPath, tls: ssl } = readDatabaseUrl(address.url);
  return {
    timezone: "Z",
    charset: "utf8mb4",
    flags: "-LOCAL_FILES",
    connectTimeout: connectTimeoutMillis,
    maxPreparedStatements,
    uri,
    ...(socketPath && { socketPath }),
    ...(ssl && { ssl }),
  };
}

async function applySettings(connection: Connection, statements: readonly string[]): Promise<void> {
  const timeoutError = Object.assign(new Error("the session settings took too long"), { code: "ETIMEDOUT" });
  const timer = setTimeout(discard, settingsTimeoutMs, connection, timeoutError);
  try {
    await setUpSession(connection);
    const session = connection.promise();
    for (const statement of [idleTimeoutSetting, ...statements]) await session.query(statement);
    await session.query(groupSetting).catch((error: unknown) => {
      if (!hasCode(error, "ER_UNKNOWN_SYSTEM_VARIABLE")) throw error;
    });
  } catch (error) {
    discard(connection);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
