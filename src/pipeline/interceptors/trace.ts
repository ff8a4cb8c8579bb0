// Decides whether a call is recorded as a span, and in which trace.
import { isInternalScope } from "../../domain/identity/scopes.ts";
import { type CallOrigin, metadata } from "../../kernel/calls/core.ts";
import { type CallTracing, isSampled, type SpanStart } from "../../kernel/telemetry.ts";
import type { Interceptor, PipelineCall } from "../call.ts";

/** Samples at random, except calls that a gateway forwards: the gateway has sampled them. */
export function sampleTrace(tracing: CallTracing): Interceptor {
  return (call) => {
    if (call.head.header(metadata.gatewayAuthorization) !== undefined) return;
    call.span = tracing.sample(startOf(call));
  };
}

/** Records what a gateway records. */
export function followGateway(tracing: CallTracing): Interceptor {
  return (call) => follow(tracing, call, call.origin.isTrusted);
}

/** Records what a client of an internal partner records: only those have the scope. */
export function followInternal(tracing: CallTracing): Interceptor {
  return (call) => follow(tracing, call, [...(call.principal?.scopes ?? [])].some(isInternalScope));
}

function follow(tracing: CallTracing, call: PipelineCall, isTrusted: boolean): void {
  if (call.span !== undefined || !isTrusted || !isSampled(call.origin.traceparent)) return;
  call.span = tracing.follow({ ...startOf(call), tracestate: call.origin.tracestate });
}

function startOf({ method, startedAt, origin }: PipelineCall & { readonly origin: CallOrigin }): SpanStart {
  const name = `${method.parent.typeName}/${method.name}`;
  return { name, startedAt, traceparent: origin.traceparent };
}
