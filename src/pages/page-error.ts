// Errors of pages: each kind has a page.
import { type SessionStatus, SessionStatusSchema } from "../gen/assessment/v1/session_service_pb.ts";
import { toEnumWord } from "../json/members.ts";
import { type ErrorCode, getErrorRow } from "../kernel/errors/error-table.ts";
import { Refusal } from "../kernel/errors/refusal.ts";

export type ErrorPage =
  | "unknownLink"
  | "expiredLink"
  | "endedCard"
  | "endedJoin"
  | "noBrowserSession"
  | "noReportBrowserSession"
  | "cancelledSession"
  | "expiredSession"
  | "nothingHere"
  | "notAccepted"
  | "invalid"
  | "tooMany"
  | "unavailable"
  | "defect";

/** The page for a code of the error table; `invalid` for any other. An ended session has the page of its refusal of answers. */
const pageByCode: Readonly<Partial<Record<ErrorCode, ErrorPage>>> &
  Readonly<Record<Exclude<Extract<ErrorCode, `session_${string}`>, "session_completed">, ErrorPage>> = {
  session_cancelled: "cancelledSession",
  session_expired: "expiredSession",
  not_found: "nothingHere",
  rate_limited: "tooMany",
  unavailable: "unavailable",
  deadline_exceeded: "unavailable",
  internal: "defect",
};

type PageErrorOptions = Partial<Pick<PageError, "code" | "retryAfterSeconds" | "metadata">>;

/** An error with its page and the status of the response. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly page: ErrorPage;
  readonly status: number;
  /** Code of the error table, if the core refused the call. */
  readonly code: ErrorCode | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Metadata of the core's error, such as the branding of a link's partner. */
  readonly metadata: Refusal["metadata"];

  constructor(page: ErrorPage, status: number, { code, retryAfterSeconds, metadata = {} }: PageErrorOptions = {}) {
    super(page);
    this.page = page;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.metadata = metadata;
  }
}

/** The page for an error of a call. */
export function convertCallError(error: unknown): PageError {
  if (!(error instanceof Refusal)) return new PageError("defect", 500);
  const { code, metadata, retryAfterSeconds } = error;
  if (code === "not_found" && metadata.link === "expired") return new PageError("expiredLink", 410, { code, metadata });
  // 401 requires a scheme of HTTP authentication, which browser sessions are not.
  if (code === "unauthenticated") return new PageError("noBrowserSession", 403, { code, metadata });
  // A conflict of writers: a retry succeeds.
  if (code === "conflict") return new PageError("unavailable", 503, { code, retryAfterSeconds: 1 });
  const status = getErrorRow(code).httpStatus ?? 500;
  // An unreachable core sends no time for a retry.
  const retrySeconds = retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  const options = { code, retryAfterSeconds: retrySeconds, metadata };
  return new PageError(pageByCode[code] ?? "invalid", status, options);
}

/** Throws a PageError for a cancelled or expired session. */
export function throwIfEnded(status: SessionStatus): void {
  const code = `session_${toEnumWord(SessionStatusSchema, status)}`;
  if (code in pageByCode) throw convertCallError(new Refusal(code as ErrorCode, "The session has ended."));
}

/** The page for any error of a request. */
export function convertServerError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof Refusal) return convertCallError(error);
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode < 500 ? new PageError("invalid", statusCode) : new PageError("defect", 500);
}
