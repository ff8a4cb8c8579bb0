// One line and one count for every call that went through the pipeline.
import type { CallEvent } from "../rpc/interceptors/observe.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** Outcomes that somebody has to mend; all others are the caller's, or the weather. */
const defects = new Set(["internal"]);
const troubles = new Set(["unavailable", "deadline_exceeded", "conflict"]);

/** An observer that logs and counts. Successes are logged at debug level: metrics count them. */
export function callObserver(log: Logger, metrics: Metrics): (event: CallEvent) => void {
  return ({ rpc, door, requestId, traceparent, clientId, partnerId, outcome, seconds, cause }) => {
    metrics.calls.observe({ rpc, door, outcome }, seconds);
    const level = levelOf(outcome);
    if (!log.isLevelEnabled(level)) return;
    const line = {
      rpc,
      door,
      requestId,
      traceparent,
      clientId,
      partnerId,
      outcome,
      ms: Math.round(seconds * 1e4) / 10,
    };
    log[level](cause === undefined ? line : { ...line, err: cause }, "call");
  };
}

function levelOf(outcome: string): "debug" | "info" | "warn" | "error" {
  if (outcome === "ok") return "debug";
  if (defects.has(outcome)) return "error";
  return troubles.has(outcome) ? "warn" : "info";
}
