// One line and one count for every call that went through the pipeline; the count is complete, the lines have a limit.

import { traceIdOf } from "../../kernel/calls/metadata.ts";
import type { CallEvent } from "../../kernel/telemetry/call-event.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { levelOf } from "./levels.ts";
import type { LineLimits } from "./line-limits.ts";
import type { Logger } from "./logger.ts";

/** An observer that logs and counts. Successes are logged at debug level: metrics count them. */
export function callObserver(log: Logger, metrics: Metrics, limits: LineLimits): (event: CallEvent) => void {
  return (call) => {
    const { rpc, transport, requestId, traceparent, span, clientId, partnerId, outcome, seconds, cause } = call;
    metrics.observeCall(call);
    metrics.observeClientCall(call);
    const level = levelOf(outcome, cause);
    if (!log.isLevelEnabled(level)) return;
    const unlogged = level === "debug" ? 0 : limits.take(`${level} ${outcome}`);
    if (unlogged === undefined) return;
    const line = {
      rpc,
      door: transport,
      requestId,
      traceId: span?.traceId ?? traceIdOf(traceparent),
      clientId,
      partnerId,
      outcome,
      ms: Math.round(seconds * 1e4) / 10,
      ...(unlogged === 0 ? {} : { unlogged }),
      ...(cause === undefined ? {} : { err: cause }),
    };
    log[level](line, "call");
  };
}
