// Turns errors of a core in another process into refusals, so that callers see the same as with one process.
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { errorDomain, toErrorCode } from "../../kernel/errors/error-table.ts";
import { CoreUnreachableError, deadlineError, Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { toCamelCase } from "../../kernel/formats.ts";

/**
 * The refusal for an error of a call. An error that does not come from the core itself is trouble between the two
 * processes, and no fault of the caller: `unavailable`, with the cause for the log.
 */
export function readCoreError(error: unknown): Refusal {
  const info = findCoreInfo(error);
  if (!(error instanceof ConnectError) || info === undefined) {
    const isTimeout = error instanceof ConnectError && error.code === Code.DeadlineExceeded;
    return isTimeout ? deadlineError() : unreachableError("the core did not answer this gateway", error);
  }
  const { violations_truncated: truncated, ...metadata } = info.metadata;
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return new Refusal(toErrorCode(info.reason), error.rawMessage, {
    violations: violations.map(({ field, reason, description }) => ({
      path: parsePath(field),
      code: reason.toLowerCase(),
      detail: description,
    })),
    isTruncated: truncated === "true",
    retryAfterSeconds: delay === undefined ? undefined : Number(delay.seconds),
    metadata,
  });
}

/** The core's own words on an error; undefined if the error is not its answer. */
export function findCoreInfo(error: unknown): ErrorInfo | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  return error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
}

/** The refusal for trouble between the gateway and its core. @param place where it failed, for the log */
export function unreachableError(place: string, error: unknown): Refusal {
  const cause = new CoreUnreachableError(place, findErrorCode(error), error);
  return new Refusal("unavailable", "The service cannot be reached right now.", { retryAfterSeconds: 1, cause });
}

/** The code of Node or TLS is the most exact, a status the least. */
function findErrorCode(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("code" in each && typeof each.code === "string") return each.code;
  }
  return error instanceof ConnectError ? Code[error.code] : undefined;
}

/** `answers[0].question_id` becomes `["answers", 0, "questionId"]`. */
function parsePath(field: string): Violation["path"] {
  const segments = field.match(/[^.[\]]+/g) ?? [];
  return segments.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : toCamelCase(segment)));
}
