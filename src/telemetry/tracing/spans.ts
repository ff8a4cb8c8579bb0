// Spans by OpenTelemetry: imported only with tracing on. A handful are created by hand: automatic instrumentation
// records request URLs, which contain external ids.

import { AsyncLocalStorage } from "node:async_hooks";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Tracer } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { StoreObserver } from "../../database/connection.ts";
import { errorRow } from "../../kernel/errors/error-table.ts";
import type { Outcome } from "../../kernel/errors/refusal.ts";
import { releaseVersion } from "../../kernel/release.ts";
import type { CallEvent, CallSpan, RequestEvent, SpanAttributes, SpanStart } from "../../kernel/telemetry.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { isFailure } from "../calls.ts";
import { LineLimits } from "../logs/logger.ts";
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
      const failed = isFailure(event.outcome);
      if (span !== undefined) span.end(callAttributes(event), failed);
      else if (failed || seconds > slowSeconds) {
        late({ name: `assessment.v1.${rpc}`, traceparent }, seconds, callAttributes(event), failed);
      }
    },
    endRequest(event) {
      const { span, status, traceparent, seconds, waitedSeconds = 0 } = event;
      const failed = status !== "gone" && status >= 500;
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

const systems: Readonly<Record<string, string>> = { grpc: "grpc", connect: "connectrpc" };

/** Attributes of a call, by OpenTelemetry's semantic conventions. The same privacy rules as for logs apply. */
function callAttributes({ rpc, transport, requestId, clientId, outcome }: CallEvent): SpanAttributes {
  const system = systems[transport];
  return {
    ...(system === undefined ? {} : { "rpc.system.name": system }),
    "rpc.method": `assessment.v1.${rpc}`,
    "rpc.response.status_code": statusOf(outcome),
    "pas.transport": transport,
    "pas.outcome": outcome,
    "pas.request_id": requestId,
    ...(clientId === undefined ? {} : { "pas.client_id": clientId }),
  };
}

/** Attributes of a request on the HTTP port. The route is a template, never an address. */
function requestAttributes({ route, method, status, requestId, code }: RequestEvent): SpanAttributes {
  return {
    "http.route": route,
    "http.request.method": method,
    ...(status === "gone" ? {} : { "http.response.status_code": status }),
    "pas.request_id": requestId,
    ...(code === undefined ? {} : { "pas.outcome": code }),
  };
}

function statusOf(outcome: Outcome): string {
  if (outcome === "ok") return "OK";
  const code = outcome === "caller_gone" ? undefined : errorRow(outcome).grpcCode;
  return code === undefined ? "CANCELLED" : codeToString(code).toUpperCase();
}

function storeSpans(running: AsyncLocalStorage<CallSpan>): StoreObserver {
  return {
    beginWait() {
      const span = running.getStore()?.begin("wait for a connection", "internal", {});
      return span === undefined ? nothing : (error) => span.end({}, error !== undefined);
    },
    beginStatement(summary, sql) {
      const span = running.getStore()?.begin(summary, "client", {
        "db.system.name": "mysql",
        "db.query.summary": summary,
        "db.query.text": sql,
      });
      return span === undefined ? nothing : (error) => span.end({}, error !== undefined);
    },
  };
}

const succeeded = 0;

/** An exporter that reports success or failure: the library would drop spans silently. */
function countedExporter({ url, observe }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url });
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

/** The resource: name and version of the service, and what OTEL_RESOURCE_ATTRIBUTES says. */
export function resourceOf(serviceName: string): Resource {
  const own = { "service.name": serviceName, "service.version": releaseVersion };
  const stated = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(stated);
}
