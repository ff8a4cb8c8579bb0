// Errors as people see them: each kind has a page of its own, whatever call or request it came from.
import { type SessionStatus, SessionStatusSchema } from "../gen/assessment/v1/session_service_pb.ts";
import { enumWord } from "../json/members.ts";
import { type ErrorCode, errorRow } from "../kernel/errors/error-table.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import type { StateRefusal } from "../kernel/session-states.ts";

export type ErrorPage =
  | "unknownLink"
  | "expiredLink"
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

/** The page of a session in each state that shows neither questions nor their end, by the code that refuses answers then. */
export const endPages = {
  session_cancelled: "cancelledSession",
  session_expired: "expiredSession",
} as const satisfies Readonly<Record<Exclude<StateRefusal, "session_completed">, ErrorPage>>;

/** An error that a person sees as a page, with the status of the response. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly page: ErrorPage;
  readonly status: number;
  /** Code of the error table, if the core refused the call. */
  readonly code: ErrorCode | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    page: ErrorPage,
    status: number,
    { code, retryAfterSeconds }: { code?: ErrorCode; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(page);
    this.page = page;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The page for an error of a call. */
export function fromCallError(error: unknown): PageError {
  if (!(error instanceof Refusal)) return new PageError("defect", 500);
  const { code, facts, retryAfterSeconds } = error;
  if (code === "not_found" && facts.link === "expired") return new PageError("expiredLink", 410, { code });
  // 401 requires a scheme of HTTP authentication, and a browser session is not one.
  if (code === "unauthenticated") return new PageError("noBrowserSession", 403, { code });
  // The person did not cause a race between writers, and sending the same again resolves it.
  if (code === "conflict") return new PageError("unavailable", 503, { code, retryAfterSeconds: 1 });
  const status = errorRow(code).httpStatus ?? 500;
  // An unreachable core sends no time for a retry.
  return new PageError(pageOf(code), status, { code, retryAfterSeconds: retryAfterSeconds ?? waitFor(status) });
}

/** Throws the page of a session that its partner or its time has ended. */
export function refuseEnded(status: SessionStatus): void {
  const code = `session_${enumWord(SessionStatusSchema, status)}`;
  if (isOfEnd(code)) throw fromCallError(new Refusal(code, "The session has ended."));
}

function isOfEnd(code: string): code is keyof typeof endPages {
  return Object.hasOwn(endPages, code);
}

/** The page for an error of Fastify, or of the HTTP port around these pages. */
export function fromServerError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof Refusal) return fromCallError(error);
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  const given = Number(status ?? statusCode ?? 500);
  if (given === 404) return new PageError("nothingHere", 404);
  if (given === 503) return new PageError("unavailable", 503, { retryAfterSeconds: 1 });
  return given >= 400 && given < 500 ? new PageError("invalid", given) : new PageError("defect", 500);
}

function waitFor(status: number): number | undefined {
  return status === 503 ? 1 : undefined;
}

function pageOf(code: ErrorCode): ErrorPage {
  if (isOfEnd(code)) return endPages[code];
  switch (code) {
    case "not_found":
      return "nothingHere";
    case "rate_limited":
      return "tooMany";
    case "unavailable":
    case "deadline_exceeded":
      return "unavailable";
    case "internal":
      return "defect";
    default:
      return "invalid";
  }
}
