// How a refusal is put on the wire of gRPC.
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import * as grpc from "@grpc/grpc-js";
import {
  type BadRequest_FieldViolation,
  BadRequest_FieldViolationSchema,
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { errorDomain, errorRow } from "../../kernel/errors/error-table.ts";
import type { Refusal } from "../../kernel/errors/refusal.ts";
import { inOneLine, type Violation } from "../../kernel/errors/violation.ts";

interface DetailLimits {
  readonly violations: number;
  readonly bytes: number;
}

/** Details travel in a trailer, and large trailers break the HTTP/2 connections of some clients. */
const limitsOfCallers: DetailLimits = { violations: 20, bytes: 4096 };
/** A gateway of ours takes as many as one process has for a problem, so that both answer with the same ones. */
const limitsOfGateways: DetailLimits = { violations: 50, bytes: 24 * 1024 };

interface EncodedStatus {
  readonly code: grpc.status;
  readonly details: Buffer | undefined;
}

/** Refusals of a flood are the same object each time, and so are their bytes. */
const encoded = new WeakMap<Refusal, EncodedStatus>();

/**
 * The status that grpc-js sends for a refusal. The metadata is the caller's to add to.
 * @param isForGateway whether the client says that it is a gateway of its own
 */
export function toGrpcStatus(refusal: Refusal, isForGateway: boolean): grpc.StatusObject {
  const known = refusal.violations.length === 0 ? encodedOnce(refusal) : encode(refusal, isForGateway);
  const metadata = new grpc.Metadata();
  if (known.details !== undefined) metadata.set("grpc-status-details-bin", known.details);
  return { code: known.code, details: isForGateway ? refusal.message : lineOf(refusal), metadata };
}

function lineOf(refusal: Refusal): string {
  return inOneLine(refusal, details.invalid_request, fieldPath);
}

function encodedOnce(refusal: Refusal): EncodedStatus {
  const known = encoded.get(refusal) ?? encode(refusal, false);
  encoded.set(refusal, known);
  return known;
}

function encode(refusal: Refusal, isForGateway: boolean): EncodedStatus {
  const error = withinLimits(toConnectError(refusal, isForGateway), isForGateway ? limitsOfGateways : limitsOfCallers);
  const details = setTrailerStatus(new Headers(), error).get("grpc-status-details-bin");
  return { code: error.code as number, details: details === null ? undefined : Buffer.from(details, "base64") };
}

/** The error with as many violations as fit, and marked where some were left out. */
export function withinLimits(error: ConnectError, limits = limitsOfCallers): ConnectError {
  const [badRequest] = error.findDetails(BadRequestSchema);
  if (badRequest === undefined) return error;
  const fieldViolations: typeof badRequest.fieldViolations = [];
  let bytes = 0;
  for (const violation of badRequest.fieldViolations.slice(0, limits.violations)) {
    bytes += toBinary(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [violation] })).length;
    if (bytes > limits.bytes) break;
    fieldViolations.push(violation);
  }
  if (fieldViolations.length === badRequest.fieldViolations.length) return error;
  const limited = new ConnectError(error.rawMessage, error.code, undefined, undefined, error.cause);
  for (const info of error.findDetails(ErrorInfoSchema)) {
    const value = create(ErrorInfoSchema, { ...info, metadata: { ...info.metadata, violations_truncated: "true" } });
    limited.details.push({ desc: ErrorInfoSchema, value });
  }
  limited.details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
  return limited;
}

/** More violations than this help nobody; a wire may carry fewer still. */
const maxViolations = 50;

/**
 * The refusal as a ConnectError with its details, whose cause it is.
 * @param isForGateway a gateway makes the one line itself, with the place as REST names it
 */
export function toConnectError(refusal: Refusal, isForGateway = false): ConnectError {
  const row = errorRow(refusal.code);
  const { violations, retryAfterSeconds, facts } = refusal;
  const isTruncated = refusal.isTruncated || violations.length > maxViolations;
  const metadata = isTruncated ? { ...facts, violations_truncated: "true" } : { ...facts };
  const message = isForGateway ? refusal.message : lineOf(refusal);
  const error = new ConnectError(message, row.grpcCode ?? Code.Internal, undefined, undefined, refusal);
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

function toFieldViolation(violation: Violation): BadRequest_FieldViolation {
  const { code, detail } = violation;
  return create(BadRequest_FieldViolationSchema, {
    field: fieldPath(violation),
    description: detail,
    reason: code.toUpperCase(),
  });
}

/** `["answers", 0, "questionId"]` is `answers[0].question_id`. What names no field stays as it was sent. */
function fieldPath({ path, code }: Violation): string {
  const nameOf = (segment: string, index: number) =>
    code === "unknown_member" && index === path.length - 1 ? segment : segment.replace(/[A-Z]/g, "_$&").toLowerCase();
  return path
    .map((segment, index) => (typeof segment === "number" ? `[${segment}]` : `.${nameOf(segment, index)}`))
    .join("")
    .replace(/^\./, "");
}
