// How an error of the pipeline is put on the wire of gRPC.
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import * as grpc from "@grpc/grpc-js";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";

/** Details travel in a trailer, and large trailers break HTTP/2 connections. */
const maxViolations = 20;
const maxDetailBytes = 4096;

/** The status that grpc-js sends for an error. */
export function toGrpcStatus(error: ConnectError): Partial<grpc.StatusObject> {
  const trailer = setTrailerStatus(new Headers(), withinLimits(error));
  const metadata = new grpc.Metadata();
  const details = trailer.get("grpc-status-details-bin");
  if (details !== null) metadata.set("grpc-status-details-bin", Buffer.from(details, "base64"));
  return { code: error.code as number, details: error.rawMessage, metadata };
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
