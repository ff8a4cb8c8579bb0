// What is told of calls, requests and background work, counted and logged.
import type { CallEvent } from "../kernel/telemetry/call-event.ts";
import type { RequestEvent } from "../kernel/telemetry/request-event.ts";
import { anchorObserver } from "./logs/audit-log.ts";
import { callObserver } from "./logs/call-log.ts";
import { LineLimits } from "./logs/line-limits.ts";
import type { Logger } from "./logs/logger.ts";
import { requestObserver } from "./logs/request-log.ts";
import type { Metrics } from "./metrics/metrics.ts";

export interface Observers {
  readonly call: (event: CallEvent) => void;
  readonly request: (event: RequestEvent) => void;
}

/** What ends the spans of calls or of requests: of those that a process records. */
export interface SpanEnds {
  readonly call?: Observers["call"] | undefined;
  readonly request?: Observers["request"] | undefined;
}

/** Observers that share the limits of the log's lines. */
export function createObservers(log: Logger, metrics: Metrics, spans: SpanEnds = {}): Observers {
  const limits = new LineLimits(() => performance.now());
  return {
    call: each(callObserver(log, metrics, limits), spans.call),
    request: each(requestObserver(log, metrics, limits), spans.request),
  };
}

/** Observers of background work. */
export function backgroundObservers(log: Logger, metrics: Metrics) {
  return {
    observeUnpublished: (seconds: number) => metrics.events.unpublished.set(seconds),
    observeDeleted: ({ mode }: { readonly mode: string }, deleted: string, sessions: number) =>
      metrics.deletedSessions.inc({ mode, deleted }, sessions),
    observeEndedKeys: (keys: number) => metrics.endedKeys.inc(keys),
    observeAnchor: anchorObserver(log),
  };
}

function each<T>(observe: (event: T) => void, end: ((event: T) => void) | undefined): (event: T) => void {
  if (end === undefined) return observe;
  return (event) => {
    observe(event);
    end(event);
  };
}
