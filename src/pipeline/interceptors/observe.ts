// Tells of every call that went through the pipeline: the outermost interceptor, so that refused calls are seen too.

import { isInternalScope } from "../../domain/identity/scopes.ts";
import { type CallOrigin, metadata } from "../../kernel/calls/core.ts";
import { outcomeOf, Refusal, violationOf } from "../../kernel/errors/refusal.ts";
import { type CallEvent, type CallTracing, isSampled, type SpanStart } from "../../kernel/telemetry.ts";
import type { Interceptor, PipelineCall } from "../call.ts";

/** Reports each call to the observer. @param now seconds of a monotonic clock */
export function observe(observer: (event: CallEvent) => void, now: () => number): Interceptor {
  return {
    name: "observe",
    enter(call) {
      call.startedAt = now();
    },
    leave({ method, origin, principal, startedAt, waitedSeconds, span }, error) {
      observer({
        rpc: `${method.parent.name}/${method.name}`,
        transport: origin.transport,
        requestId: origin.requestId,
        traceparent: origin.traceparent,
        span,
        clientId: principal?.clientId,
        partnerId: principal?.partnerId,
        outcome: outcomeOf(error),
        violation: violationOf(error),
        seconds: now() - startedAt - waitedSeconds,
        cause: error instanceof Refusal ? error.cause : undefined,
      });
    },
  };
}

/** Asks chance, but for calls that a gateway passes on: it has asked. */
export function sampleTrace(tracing: CallTracing): Interceptor {
  return {
    name: "sample-trace",
    enter(call) {
      if (call.incoming.header(metadata.gatewayAuthorization) !== undefined) return;
      call.span = tracing.sample(startOf(call));
    },
  };
}

/** Records what a gateway records. */
export function followGateway(tracing: CallTracing): Interceptor {
  return {
    name: "follow-gateway",
    enter: (call) => follow(tracing, call, call.origin.isTrusted),
  };
}

/** Records what an internal partner records: a client with a scope that only those have. */
export function followInternal(tracing: CallTracing): Interceptor {
  return {
    name: "follow-internal",
    enter: (call) => follow(tracing, call, [...(call.principal?.scopes ?? [])].some(isInternalScope)),
  };
}

function follow(tracing: CallTracing, call: PipelineCall, isBelieved: boolean): void {
  if (call.span !== undefined || !isBelieved || !isSampled(call.origin.traceparent)) return;
  call.span = tracing.follow({ ...startOf(call), tracestate: call.origin.tracestate });
}

function startOf({ method, startedAt, origin }: PipelineCall & { readonly origin: CallOrigin }): SpanStart {
  const name = `${method.parent.typeName}/${method.name}`;
  return { name, startedAt: startedAt * 1000, traceparent: origin.traceparent };
}
