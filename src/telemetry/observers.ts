// What is told of calls and requests, counted and logged within the same limits.
import type { CallEvent } from "../contract/call-event.ts";
import type { RequestEvent } from "../contract/request-event.ts";
import { callObserver } from "./call-log.ts";
import { LineLimits } from "./line-limits.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { requestObserver } from "./request-log.ts";

export interface Observers {
  readonly call: (event: CallEvent) => void;
  readonly request: (event: RequestEvent) => void;
}

/** Observers that share the limits of the log's lines. */
export function createObservers(log: Logger, metrics: Metrics): Observers {
  const limits = new LineLimits(() => performance.now());
  return { call: callObserver(log, metrics, limits), request: requestObserver(log, metrics, limits) };
}
