// Turns errors of a core in another process into refusals, so that callers see the same as with one process.

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { codeOfReason, errorDomain } from "../../kernel/errors/error-table.ts";
import { CoreUnreachableError, Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";

/**
 * The refusal for an error of a call. An error that does not come from the core itself is trouble between the two
 * processes, and no fault of the caller: `unavailable`, with the cause for the log.
 */
export function fromCoreError(error: unknown): Refusal {
  const connectError = error instanceof ConnectError ? error : undefined;
  const info = connectError?.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  if (connectError === undefined || info === undefined) return ownTrouble(error, connectError?.code);
  const { violations_truncated: truncated, ...facts } = info.metadata;
  const violations = connectError.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  const delay = connectError.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return new Refusal(codeOfReason(info.reason), connectError.rawMessage, {
    violations: violations.map(({ field, reason, description }) => ({
      path: pathOf(field),
      code: reason.toLowerCase(),
      detail: description,
    })),
    isTruncated: truncated === "true",
    retryAfterSeconds: delay === undefined ? undefined : Number(delay.seconds),
    facts,
  });
}

function ownTrouble(error: unknown, status: Code | undefined): Refusal {
  if (status === Code.DeadlineExceeded) return new Refusal("deadline_exceeded", details.deadline_exceeded);
  return unreachable("the core did not answer this gateway", error);
}

/** The refusal for trouble between the gateway and its core. @param what a code for the log */
export function unreachable(what: string, error: unknown): Refusal {
  const cause = new CoreUnreachableError(what, hopCode(error), error);
  return new Refusal("unavailable", "The service cannot be reached right now.", { retryAfterSeconds: 1, cause });
}

/** Whether the core itself has answered, so that a retry would get the same answer. */
export function isRefusalOfCore(error: unknown): boolean {
  return (
    error instanceof ConnectError && error.findDetails(ErrorInfoSchema).some(({ domain }) => domain === errorDomain)
  );
}

/** The code of Node or TLS is the most exact, a status the least. */
function hopCode(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("code" in each && typeof each.code === "string") return each.code;
  }
  return error instanceof ConnectError ? Code[error.code] : undefined;
}

/** `answers[0].question_id` becomes `["answers", 0, "questionId"]`. */
function pathOf(field: string): Violation["path"] {
  if (field === "") return [];
  return field
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .map((segment) =>
      /^\d+$/.test(segment)
        ? Number(segment)
        : segment.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
}
