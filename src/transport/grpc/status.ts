// A refusal as a gRPC status.
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
import { errorDomain, getErrorRow } from "../../kernel/errors/error-table.ts";
import type { Refusal } from "../../kernel/errors/refusal.ts";
import { summarizeViolations, type Violation } from "../../kernel/errors/violation.ts";
import { toSnakeCase } from "../../kernel/formats.ts";

/** Most violations in an error, and most bytes of them. */
const bodyLimits = { violations: 50, bytes: Number.POSITIVE_INFINITY };
/** Details travel in a trailer, and large trailers break the HTTP/2 connections of some clients. */
export const trailerLimits = { violations: 20, bytes: 4096 };
/** A gateway gets as many as fit into a problem, so that REST answers alike with one process or two. */
const gatewayLimits = { violations: 50, bytes: 24 * 1024 };

/**
 * The status that grpc-js sends for a refusal. The caller may add to its metadata.
 * @param isForGateway whether the client is a gateway
 */
export function toGrpcStatus(refusal: Refusal, isForGateway: boolean): grpc.StatusObject {
  const error = toConnectError(refusal, isForGateway ? gatewayLimits : trailerLimits);
  const metadata = new grpc.Metadata();
  const name = "grpc-status-details-bin";
  metadata.set(name, Buffer.from(setTrailerStatus(new Headers(), error).get(name) ?? "", "base64"));
  return { code: error.code as number, details: error.rawMessage, metadata };
}

/** The refusal as a ConnectError with its details, and the refusal as its cause. */
export function toConnectError(refusal: Refusal, limits = bodyLimits): ConnectError {
  const row = getErrorRow(refusal.code);
  const fieldViolations = limitViolations(refusal.violations, limits);
  const isTruncated = refusal.isTruncated || fieldViolations.length < refusal.violations.length;
  const metadata = isTruncated ? { ...refusal.metadata, violations_truncated: "true" } : { ...refusal.metadata };
  // A gateway writes the message itself, with the place as REST names it.
  const message =
    limits === gatewayLimits ? refusal.message : summarizeViolations(refusal, details.invalid_request, formatFieldPath);
  const error = new ConnectError(message, row.grpcCode ?? Code.Internal, undefined, undefined, refusal);
  const info = { reason: row.reason, domain: errorDomain, metadata };
  error.details.push({ desc: ErrorInfoSchema, value: create(ErrorInfoSchema, info) });
  if (fieldViolations.length > 0) {
    error.details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
  }
  if (refusal.retryAfterSeconds !== undefined) {
    const value = create(RetryInfoSchema, { retryDelay: { seconds: BigInt(Math.ceil(refusal.retryAfterSeconds)) } });
    error.details.push({ desc: RetryInfoSchema, value });
  }
  return error;
}

function limitViolations(all: readonly Violation[], limits: typeof bodyLimits): BadRequest_FieldViolation[] {
  const some = all.slice(0, limits.violations).map(toFieldViolation);
  let bytes = 0;
  const tooMany = some.findIndex((violation) => {
    bytes += toBinary(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [violation] })).length;
    return bytes > limits.bytes;
  });
  return tooMany < 0 ? some : some.slice(0, tooMany);
}

function toFieldViolation(violation: Violation): BadRequest_FieldViolation {
  const { code, detail } = violation;
  return create(BadRequest_FieldViolationSchema, {
    field: formatFieldPath(violation),
    description: detail,
    reason: code.toUpperCase(),
  });
}

/** `["answers", 0, "questionId"]` becomes `answers[0].question_id`. A name that is no field stays as it was sent. */
function formatFieldPath({ path, code }: Violation): string {
  const toFieldName = (segment: string, index: number) =>
    code === "unknown_member" && index === path.length - 1 ? segment : toSnakeCase(segment);
  return path
    .map((segment, index) => (typeof segment === "number" ? `[${segment}]` : `.${toFieldName(segment, index)}`))
    .join("")
    .replace(/^\./, "");
}
