// Every error that leaves the pipeline: a status code, and details that programs can act on.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorDomain, errorRow, errorRows } from "../../contract/error-table.ts";
import { DomainError, type Violation } from "../../domain/errors.ts";
import {
  type BadRequest_FieldViolation,
  BadRequest_FieldViolationSchema,
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";

/** More violations than this help nobody; doors may send fewer still. */
const maxViolations = 50;

/**
 * The error as callers may see it. A refusal of the domain keeps its words; anything unknown becomes `internal` with
 * fixed words, and the original stays behind as the cause for the log.
 */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof DomainError) return fromDomainError(error);
  if (error instanceof ConnectError) {
    return error.details.length > 0
      ? error
      : refusal(codeOfStatus(error.code), error.rawMessage, { cause: error.cause });
  }
  return refusal("internal", "The service made a mistake; the request id leads to its cause.", { cause: error });
}

interface RefusalOptions {
  readonly violations?: readonly Violation[];
  readonly retryAfterSeconds?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error of the error table with its details. */
export function refusal(code: string, detail: string, options: RefusalOptions = {}): ConnectError {
  const row = errorRow(code);
  const { violations = [], retryAfterSeconds, cause } = options;
  const isTruncated = violations.length > maxViolations;
  const info = {
    reason: row.reason,
    domain: errorDomain,
    metadata: { ...options.metadata, ...(isTruncated ? { violations_truncated: "true" } : {}) },
  };
  const error = new ConnectError(detail, row.grpcCode ?? Code.Internal, undefined, undefined, cause);
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

function fromDomainError(error: DomainError): ConnectError {
  const { code, message, violations, retryAfterSeconds, facts, cause } = error;
  return refusal(code, message, { violations, retryAfterSeconds, metadata: facts, cause });
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

/** The reason that stands for a status which came without one, as from an abort. */
function codeOfStatus(status: Code): string {
  if (status === Code.Canceled) return "deadline_exceeded";
  return errorRows.find((row) => row.grpcCode === status)?.code ?? "internal";
}
