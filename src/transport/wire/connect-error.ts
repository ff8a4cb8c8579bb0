// Refusals on the wires of gRPC and Connect: a status code, and details that programs can act on.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type BadRequest_FieldViolation,
  BadRequest_FieldViolationSchema,
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { errorDomain, errorRow } from "../../kernel/errors/error-table.ts";
import type { Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";

/** More violations than this help nobody; a wire may carry fewer still. */
const maxViolations = 50;

/** The refusal as a ConnectError with its details, whose cause it is. */
export function toConnectError(refusal: Refusal): ConnectError {
  const row = errorRow(refusal.code);
  const { violations, retryAfterSeconds, facts } = refusal;
  const isTruncated = refusal.isTruncated || violations.length > maxViolations;
  const metadata = isTruncated ? { ...facts, violations_truncated: "true" } : { ...facts };
  const error = new ConnectError(refusal.message, row.grpcCode ?? Code.Internal, undefined, undefined, refusal);
  const info = { reason: row.reason, domain: errorDomain, metadata };
  error.details.push({ desc: ErrorInfoSchema, value: create(ErrorInfoSchema, info) });
  if (violations.length > 0) {
    const fieldViolations = violations.slice(0, maxViolations).map(toFieldViolation);
    error.details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
  }
  if (retryAfterSeconds !== undefined) {
    const value = create(RetryInfoSchema, { retryDelay: { seconds: BigInt(Math.ceil(retryAfterSeconds)) } });
    error.details.push({ desc: RetryInfoSchema, value });
  }
  return error;
}

function toFieldViolation({ path, code, detail }: Violation): BadRequest_FieldViolation {
  return create(BadRequest_FieldViolationSchema, {
    field: fieldPath(path),
    description: detail,
    reason: code.toUpperCase(),
  });
}

/** `["answers", 0, "questionId"]` is `answers[0].question_id`. */
function fieldPath(path: Violation["path"]): string {
  return path
    .map((segment) =>
      typeof segment === "number" ? `[${segment}]` : `.${segment.replace(/[A-Z]/g, "_$&").toLowerCase()}`,
    )
    .join("")
    .replace(/^\./, "");
}
