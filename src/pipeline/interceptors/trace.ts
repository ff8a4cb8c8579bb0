// Decides whether a call is recorded as a span, and in which trace.
import { isInternalScope } from "../../domain/identity/scopes.ts";
import { metadata, spanStart } from "../../kernel/calls/core.ts";
import type { CallTracing } from "../../kernel/telemetry.ts";
import type { Interceptor } from "../call.ts";

/** Samples at random, except calls that a gateway forwards: the gateway has sampled them. */
export function sampleTrace(tracing: CallTracing): Interceptor {
  return (call) => {
    if (call.head.header(metadata.gatewayAuthorization) === undefined) call.span = tracing.sample(spanStart(call));
  };
}

/** Records what a gateway records, or a client of an internal partner: only those have such a scope. */
export function followTrace(tracing: CallTracing): Interceptor {
  return (call) => {
    const isTrusted = call.origin.isTrusted || [...(call.principal?.scopes ?? [])].some(isInternalScope);
    if (isTrusted) call.span ??= tracing.follow(spanStart(call));
  };
}
