// Errors of a core in another process as refusals, so that what is refused there looks as if it was refused here.
import { Code, ConnectError } from "@connectrpc/connect";
import { codeOfReason, errorDomain } from "../../contract/error-table.ts";
import { Refusal } from "../../contract/refusal.ts";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import type { Violation } from "../../rules/violation.ts";

/**
 * The refusal that an error of a call stands for. What the core itself has not said is trouble between the two, which is
 * no fault of the caller: `unavailable`, with the cause for the log.
 */
export function fromCoreError(error: unknown): Refusal {
  const known = error instanceof ConnectError ? error : undefined;
  const info = known?.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  if (known === undefined || info === undefined) return ownTrouble(error, known?.code);
  const { violations_truncated: truncated, ...facts } = info.metadata;
  const violations = known.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  const delay = known.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return new Refusal(codeOfReason(info.reason), known.rawMessage, {
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
  if (status === Code.DeadlineExceeded) return new Refusal("deadline_exceeded", "The deadline passed.");
  const cause = Object.assign(new Error("the core did not answer this gateway", { cause: error }), {
    code: status === undefined ? undefined : Code[status],
  });
  return new Refusal("unavailable", "The service cannot be reached right now.", { retryAfterSeconds: 1, cause });
}

/** `answers[0].question_id` is `["answers", 0, "questionId"]`. */
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
