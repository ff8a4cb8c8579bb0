// Spans by OpenTelemetry: imported only with tracing on. A handful are created by hand: automatic instrumentation
// records request URLs, which contain external ids.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Tracer } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { StoreObserver } from "../../database/connection.ts";
import { releaseVersion } from "../../kernel/release.ts";
import type { CallSpan, RequestEvent, SpanAttributes, SpanStart } from "../../kernel/telemetry.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { LineLimits } from "../logs/logger.ts";
import {
  callAttributes,
  hasCallFailed,
  hasRequestFailed,
  requestAttributes,
  statementAttributes,
} from "./attributes.ts";
import { RecordedCall } from "./recorded-call.ts";
import { nothing, type Tracing, type TracingOptions } from "./tracing.ts";

/** A call that takes longer is recorded afterwards. */
const slowSeconds = 1;
const stopTimeoutMs = 2_000;

/** Starts tracing. */
export function startTracing(options: TracingOptions): Tracing {
  const exporter: SpanExporter = countedExporter(options);
  const processor = new BatchSpanProcessor({ exporter });
  // Sampling is decided before: by chance, or by the trusted caller.
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: resourceOf(options.serviceName),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("partner-assessment-service", releaseVersion);
  const running = new AsyncLocalStorage<CallSpan>();
  const record = (start: SpanStart) => new RecordedCall(tracer, running, start);
  const late = lateSpans(tracer, running);
  return {
    sample: (start) => (options.random() < options.share ? record(start) : undefined),
    follow: record,
    endCall(event) {
      const { span, rpc, traceparent, seconds } = event;
      const failed = hasCallFailed(event);
      if (span !== undefined) span.end(callAttributes(event), failed);
      else if (failed || seconds > slowSeconds) {
        late({ name: `assessment.v1.${rpc}`, traceparent }, seconds, callAttributes(event), failed);
      }
    },
    endRequest(event) {
      const { span, traceparent, seconds, waitedSeconds = 0 } = event;
      const failed = hasRequestFailed(event);
      if (span !== undefined) span.end(requestAttributes(event), failed);
      else if (failed || seconds - waitedSeconds > slowSeconds) {
        late({ name: nameOfRequest(event), traceparent }, seconds, requestAttributes(event), failed);
      }
    },
    database: storeSpans(running),
    async stop() {
      const stopped = provider.shutdown().catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopTimeoutMs);
      });
      await Promise.race([stopped, tooLate]);
      clearTimeout(timer);
    },
  };
}

type Late = (
  start: Pick<SpanStart, "name" | "traceparent">,
  seconds: number,
  attributes: SpanAttributes,
  failed: boolean,
) => void;

/** Records calls and requests after their end, some twenty a second. */
function lateSpans(tracer: Tracer, running: AsyncLocalStorage<CallSpan>): Late {
  const limits = new LineLimits(systemTimers.now);
  return (start, seconds, attributes, failed) => {
    if (limits.take("late") === undefined) return;
    const startedAt = performance.now() - seconds * 1000;
    new RecordedCall(tracer, running, { ...start, startedAt }).end(attributes, failed);
  };
}

/** For example `POST /v1/:product/sessions`. */
function nameOfRequest({ method, route }: Pick<RequestEvent, "method" | "route">): string {
  return `${method} ${route}`;
}

function storeSpans(running: AsyncLocalStorage<CallSpan>): StoreObserver {
  return {
    beginWait() {
      const span = running.getStore()?.begin("wait for a connection", "internal", {});
      return span === undefined ? nothing : (error) => span.end({}, error !== undefined);
    },
    beginStatement(summary, sql) {
      const span = running.getStore()?.begin(summary, "client", statementAttributes(summary, sql));
      return span === undefined ? nothing : (error) => span.end({}, error !== undefined);
    },
  };
}

const succeeded = 0;

/** An exporter that reports success or failure: the library would drop spans silently. */
export function countedExporter({ endpoint, observe }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        observe(result.code === succeeded ? "exported" : "failed", spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** The resource: name and version of the service. */
export function resourceOf(serviceName: string): Resource {
  const own = { "service.name": serviceName, "service.version": releaseVersion };
  return defaultResource().merge(resourceFromAttributes(own));
}
