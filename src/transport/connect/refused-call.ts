// Calls that end without a response: our refusals as errors of the library, and its errors as our refusals.
import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import { refusalOfDecoding } from "../grpc/decode.ts";
import { toConnectError } from "../grpc/status.ts";
import { jsonRefusal } from "./json-refusal.ts";

/** The error that carries a refusal, or a caller that left, through the library. */
export function carrierOf(error: unknown): ConnectError {
  if (error instanceof Refusal) return toConnectError(error);
  if (error instanceof CallerGone) return new ConnectError(error.message, Code.Aborted, undefined, undefined, error);
  return toConnectError(lostResponse());
}

/** What an error carries; undefined for an error of the library's own. */
export function carriedBy(error: unknown): Refusal | CallerGone | undefined {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  return cause instanceof Refusal || cause instanceof CallerGone ? cause : undefined;
}

/** Whether a call is given up for an error, and not because it is over or its connection closed. */
export function isOfLibrary(reason: unknown): reason is ConnectError {
  return reason instanceof ConnectError && reason.code !== Code.Aborted;
}

/** Why the library refuses a message. */
export function refusalOf(error: ConnectError, schema: DescMessage, maxBytes: number): Refusal {
  if (error.code !== Code.ResourceExhausted) {
    return jsonRefusal(error.rawMessage, schema) ?? refusalOfDecoding(error, schema);
  }
  return new Refusal("payload_too_large", `A message of this call has at most ${maxBytes} bytes.`);
}

export function callerGone(): CallerGone {
  return new CallerGone("the caller left before its request had arrived");
}

export function lostResponse(): Refusal {
  return new Refusal("internal", "The response is lost.");
}
