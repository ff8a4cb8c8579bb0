// What an error of the database means to the caller. Driver messages hold SQL and values, so they go no further.
import { DomainError } from "../domain/errors.ts";

/** The statement did not happen, or only perhaps: the database is away, restarting, read-only or full. */
const away = new Set([
  "ER_CON_COUNT_ERROR",
  "ER_SERVER_SHUTDOWN",
  "ER_SERVER_ISNT_AVAILABLE",
  "ER_TOO_MANY_USER_CONNECTIONS",
  "ER_UNKNOWN_COM_ERROR",
  "ER_NORMAL_SHUTDOWN",
  "ER_QUERY_INTERRUPTED",
  "ER_LOCK_WAIT_TIMEOUT",
  "ER_LOCK_DEADLOCK",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  "ER_RECORD_FILE_FULL",
  "ER_DISK_FULL",
  "ER_CONNECTION_KILLED",
  "ER_CLIENT_INTERACTION_TIMEOUT",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR",
  "PROTOCOL_ENQUEUE_AFTER_QUIT",
  "PROTOCOL_ENQUEUE_AFTER_DESTROY",
]);

/** Whether a unique key is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === "ER_DUP_ENTRY";
}

/**
 * `unavailable` where the database is away, full or read-only; any other error is a defect and passes unchanged, to be
 * logged by its code and answered as `internal`.
 */
export function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError || isDuplicateKey(error)) return error;
  const code = codeOf(error);
  const name = error instanceof Error ? error.name : "";
  const isAway =
    away.has(code) || /^E(AI_)?[A-Z]+$/.test(code) || name === "KnexTimeoutError" || name === "TimeoutError";
  if (!isAway) return error;
  const detail = "The database cannot be reached or takes no writes right now.";
  return new DomainError("unavailable", detail, { retryAfterSeconds: 1, cause: error });
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
