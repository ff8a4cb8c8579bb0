// Maps database errors to what the caller gets. Driver messages hold SQL and values, so they are not passed on.
import { Refusal } from "../kernel/errors/refusal.ts";

/**
 * The reason why a statement failed, or a connection could not be made, unless the service's own code is at fault.
 * - `lost`: the connection is gone; nobody knows whether the statement happened.
 * - `unfit`: it did not happen, because the server accepts no writes: it is read-only, or about to leave its cluster.
 * - `contended`: it did not happen, because it lost against another transaction.
 * - `refused`: it did not happen, for lack of space or time. A retry at once would not help.
 */
export type DatabaseErrorKind = "lost" | "unfit" | "contended" | "refused";

const errorKinds: readonly (readonly [DatabaseErrorKind, RegExp])[] = [
  // From the system, such as ECONNRESET, and from the driver.
  ["lost", /^(E(AI_)?[A-Z]+|PROTOCOL_\w+)$/],
  ["lost", /^ER_(SERVER_SHUTDOWN|CONNECTION_KILLED|CLIENT_INTERACTION_TIMEOUT|ERROR_DURING_COMMIT)$/],
  ["lost", /^ER_NET_(READ|WRITE|ERROR)_/],
  ["unfit", /^ER_(OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)$/],
  ["unfit", /^ER_(SERVER_OFFLINE_MODE|SERVER_ISNT_AVAILABLE|UNKNOWN_COM_ERROR|RUN_HOOK_ERROR|GRP_TRX_\w+)$/],
  ["contended", /^ER_(LOCK_DEADLOCK|LOCK_WAIT_TIMEOUT|CHECKREAD|TRANSACTION_ROLLBACK_DURING_COMMIT)$/],
  ["refused", /^ER_(MAX_PREPARED_STMT_COUNT_REACHED|QUERY_INTERRUPTED|RECORD_FILE_FULL|DISK_FULL\w*|GET_ERRNO)$/],
];

/** A setting of the server that the service cannot work with. The message is a sentence for operators. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly code = "SETTING_REFUSED";
}

/** All connections stayed in use for too long. */
export class PoolTimeoutError extends Error {
  override readonly name = "PoolTimeoutError";
  readonly code = "POOL_TIMEOUT";
}

/** Undefined for faults of the service's own code, and for a duplicate key. */
export function classifyError(error: unknown): DatabaseErrorKind | undefined {
  const code = readErrorCode(error);
  const [kind] = errorKinds.find(([, codes]) => codes.test(code)) ?? [];
  // The driver's errors about closed connections have no code.
  const isLost = (code === "" && isFatal(error)) || isOutageOfVitess(error);
  return kind ?? (isLost ? "lost" : undefined);
}

/** Client errors (2002 to 2013) that Vitess passes on when a tablet has lost its server. The driver has no names for them. */
const lostByTablet = [2002, 2003, 2006, 2013];
/** While a shard is split or tables are moved. */
const switchOfTraffic = / failed after retries: |unexpected 'autocommitted' state in transaction/;

/**
 * Whether a vtgate could not reach the tablet of a shard, or a tablet its server. Statements that Vitess does not understand, and
 * its own faults, have the same codes: then the message names no tablet, or is the tablet's own.
 */
function isOutageOfVitess(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errno, message }: Error & { readonly errno?: number } = error;
  if (hasCode(error, "ER_INTERNAL_ERROR")) return switchOfTraffic.test(message);
  const isOfTablet = hasCode(error, "ER_UNKNOWN_ERROR") || lostByTablet.includes(Number(errno));
  return isOfTablet && message.startsWith("target: ") && !message.includes("code = InvalidArgument");
}

/** Whether the error has one of the codes, such as `ER_DUP_ENTRY`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(readErrorCode(error));
}

/** Of MySQL and of MariaDB, for the only CHECK of the schema: the length of the events of a session. */
const tooManyEvents = new Set([3819, 4025]);

/**
 * A Refusal `unavailable` if the database is away, full or read-only. Any other error is a defect and is returned
 * unchanged: it is logged by its code and answered as `internal`.
 */
export function toRefusalIfUnavailable(error: unknown): unknown {
  if (error instanceof Error && "errno" in error && tooManyEvents.has(Number(error.errno))) {
    return unavailableError(error, "Too many events of this session are still to be published; repeat the call later.");
  }
  return error instanceof Refusal || classifyError(error) === undefined ? error : unavailableError(error);
}

/** @param cause what the log has about it */
export function unavailableError(
  cause: unknown,
  detail = "The database cannot be reached or accepts no writes right now.",
): Refusal {
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}

/** The reason why the database cannot be used, in one sentence for operators: without name, address or password. */
export function describeFault(error: unknown): string {
  const root = findCause(error);
  const code = readErrorCode(root);
  if (root instanceof SettingError) return root.message;
  const fault = misconfigurations[code] ?? shortages[code];
  if (fault !== undefined) return fault;
  return classifyError(root) === undefined && code.startsWith("ER_")
    ? `The database refuses what the service asks of it; its code is ${code}.`
    : "The database cannot be reached.";
}

/** Whether an error remains until a setting is changed, of the service or of the database. */
export function isMisconfigured(error: unknown): boolean {
  const root = findCause(error);
  return root instanceof SettingError || Object.hasOwn(misconfigurations, readErrorCode(root));
}

const accessDenied = "The database refuses the user, its password, or that it comes without TLS; check DATABASE_URL.";

const userLimit =
  "The database lets its user have no more connections; see MAX_USER_CONNECTIONS there and DATABASE_POOL_SIZE.";

/** Faults that pass when some connections are closed. */
const shortages: Readonly<Record<string, string>> = {
  POOL_TIMEOUT: "All connections to the database are in use.",
  ER_CON_COUNT_ERROR: "The database has no room for another connection; see `max_connections`.",
  ER_USER_LIMIT_REACHED: userLimit,
  ER_TOO_MANY_USER_CONNECTIONS: userLimit,
};

/** Faults that remain until a setting is changed. */
const misconfigurations: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: accessDenied,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: accessDenied,
  ER_DBACCESS_DENIED_ERROR: "The database user may not use the database that DATABASE_URL names.",
  ER_BAD_DB_ERROR: "The server has no database of the name in DATABASE_URL.",
  ER_SECURE_TRANSPORT_REQUIRED: "The database requires TLS; add ssl-mode to DATABASE_URL.",
  HANDSHAKE_NO_SSL_SUPPORT: "The database has no TLS, which DATABASE_URL asks for; turn it on there.",
  HANDSHAKE_SSL_ERROR:
    "The certificate of the database cannot be verified; check ssl-ca, ssl-mode and the host of DATABASE_URL.",
  ER_HOST_NOT_PRIVILEGED: "The database lets its user come from other hosts only; see the host of its account.",
  ER_HOST_IS_BLOCKED: "The database has blocked this host after failed connections; unblock it there with FLUSH HOSTS.",
  ENOTFOUND: "The name of the database's host in DATABASE_URL is not known.",
};

/** The cause of a refusal, else the error itself. */
function findCause(error: unknown): unknown {
  return error instanceof Refusal && error.cause !== undefined ? error.cause : error;
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && "fatal" in error && error.fatal === true;
}

/** The code of an error of the driver or the system; empty without one. */
export function readErrorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
