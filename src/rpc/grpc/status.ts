// How a refusal is put on the wire of gRPC.
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import * as grpc from "@grpc/grpc-js";
import type { Refusal } from "../../contract/refusal.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { toConnectError } from "../wire/connect-error.ts";

/** Details travel in a trailer, and large trailers break HTTP/2 connections. */
const maxViolations = 20;
const maxDetailBytes = 4096;

interface EncodedStatus {
  readonly code: grpc.status;
  readonly details: Buffer | undefined;
}

/** Refusals of a flood are the same object each time, and so are their bytes. */
const encoded = new WeakMap<Refusal, EncodedStatus>();

/** The status that grpc-js sends for a refusal. The metadata is the caller's to add to. */
export function toGrpcStatus(refusal: Refusal): grpc.StatusObject {
  const known = encoded.get(refusal) ?? encode(refusal);
  encoded.set(refusal, known);
  const metadata = new grpc.Metadata();
  if (known.details !== undefined) metadata.set("grpc-status-details-bin", known.details);
  return { code: known.code, details: refusal.message, metadata };
}

function encode(refusal: Refusal): EncodedStatus {
  const error = withinLimits(toConnectError(refusal));
  const details = setTrailerStatus(new Headers(), error).get("grpc-status-details-bin");
  return { code: error.code as number, details: details === null ? undefined : Buffer.from(details, "base64") };
}

/** The error with as many violations as fit, and marked where some were left out. */
export function withinLimits(error: ConnectError): ConnectError {
  const [badRequest] = error.findDetails(BadRequestSchema);
  if (badRequest === undefined) return error;
  const fieldViolations: typeof badRequest.fieldViolations = [];
  let bytes = 0;
  for (const violation of badRequest.fieldViolations.slice(0, maxViolations)) {
    bytes += toBinary(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [violation] })).length;
    if (bytes > maxDetailBytes) break;
    fieldViolations.push(violation);
  }
  if (fieldViolations.length === badRequest.fieldViolations.length) return error;
  const limited = new ConnectError(error.rawMessage, error.code);
  for (const info of error.findDetails(ErrorInfoSchema)) {
    const value = create(ErrorInfoSchema, { ...info, metadata: { ...info.metadata, violations_truncated: "true" } });
    limited.details.push({ desc: ErrorInfoSchema, value });
  }
  limited.details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
  return limited;
}
