// One count for every request on the HTTP port, and a line for each that was refused before any call was made of it.
import { traceIdOf } from "../../kernel/calls/metadata.ts";
import type { RequestEvent } from "../../kernel/telemetry/request-event.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type Level, levelOf } from "./levels.ts";
import type { LineLimits } from "./line-limits.ts";
import type { Logger } from "./logger.ts";

/** An observer that counts and logs, within the limits that calls have. */
export function requestObserver(log: Logger, metrics: Metrics, limits: LineLimits): (event: RequestEvent) => void {
  return (event) => {
    const { route, method, status, requestId, code, isReported, seconds } = event;
    metrics.observeRequest(event);
    if (isReported || (status !== "gone" && status < 400)) return;
    const level = levelOfRequest(event);
    if (!log.isLevelEnabled(level)) return;
    const unlogged = level === "debug" ? 0 : limits.take(`${level} ${code ?? status}`);
    if (unlogged === undefined) return;
    const ms = Math.round(seconds * 1e4) / 10;
    const traceId = event.span?.traceId ?? traceIdOf(event.traceparent);
    const line = { route, method, requestId, traceId, status, code, ms, ...(unlogged === 0 ? {} : { unlogged }) };
    log[level](line, "request");
  };
}

function levelOfRequest({ status, code }: RequestEvent): Level {
  if (status === "gone") return "debug";
  if (code !== undefined) return levelOf(code);
  return status >= 500 ? "error" : "info";
}
