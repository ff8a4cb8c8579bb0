// Spans by OpenTelemetry: imported only with tracing on. A handful are created by hand: automatic instrumentation
// records request URLs, which contain external ids.

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { codeToString } from "@connectrpc/connect/protocol-connect";
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
import type { End, StoreObserver } from "../../database/connection.ts";
import { errorRow } from "../../kernel/errors/error-table.ts";
import type { Outcome } from "../../kernel/errors/refusal.ts";
import { releaseVersion } from "../../kernel/release.ts";
import type {
  CallEvent,
  CallSpan,
  ChildSpan,
  RequestEvent,
  SpanAttributes,
  SpanStart,
} from "../../kernel/telemetry.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { LineLimits } from "../logs/logger.ts";
import { isFailure } from "../metrics/call-metrics.ts";
import { RecordedCall } from "./recorded-call.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

/** A call that takes longer is recorded afterwards. */
const slowSeconds = 1;
const stopTimeoutMs = 2_000;

/** Starts tracing. */
export function startTracing(options: TracingOptions): Tracing {
  const processor = new BatchSpanProcessor({ exporter: countedExporter(options) });
  // Sampling is decided before: by chance, or by the trusted caller.
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: resourceOf(options.serviceName),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("partner-assessment-service", releaseVersion);
  const running = new AsyncLocalStorage<CallSpan>();
  const record = (start: SpanStart) => new RecordedCall(tracer, running, start);
  const late = lateSpans(record);
  return {
    sample: (start) => (options.random() < options.share ? record(start) : undefined),
    follow: record,
    endCall(event) {
      const { span, rpc, seconds } = event;
      const failed = isFailure(event.outcome);
      if (span !== undefined) span.end(callAttributes(event), failed);
      else if (failed || seconds > slowSeconds) late(`assessment.v1.${rpc}`, event, callAttributes(event), failed);
    },
    endRequest(event) {
      const { span, method, route, status, seconds, waitedSeconds = 0 } = event;
      const failed = status !== "gone" && status >= 500;
      if (span !== undefined) span.end(requestAttributes(event), failed);
      else if (failed || seconds - waitedSeconds > slowSeconds) {
        late(`${method} ${route}`, event, requestAttributes(event), failed);
      }
    },
    alsoStatements: (observer) => withSpans(observer, running),
    async stop() {
      const stopped = provider.shutdown().catch(() => undefined);
      await Promise.race([stopped, setTimeout(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Records calls and requests after their end, some twenty a second. */
function lateSpans(record: Tracing["follow"]) {
  const limits = new LineLimits(systemTimers.now);
  return (
    name: string,
    { traceparent, seconds }: CallEvent | RequestEvent,
    attributes: SpanAttributes,
    failed: boolean,
  ) => {
    if (limits.take("late") === undefined) return;
    record({ name, traceparent, startedAt: performance.now() - seconds * 1000 }).end(attributes, failed);
  };
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

/** An observer of the store that also records statements and waits of recorded calls. */
function withSpans(observer: StoreObserver, running: AsyncLocalStorage<CallSpan>): StoreObserver {
  const both = (end: End, span: ChildSpan | undefined): End => {
    if (span === undefined) return end;
    return (error) => {
      end(error);
      span.end({}, error !== undefined);
    };
  };
  return {
    beginWait: () => both(observer.beginWait(), running.getStore()?.begin("wait for a connection", "internal", {})),
    beginStatement(summary, sql) {
      const attributes = { "db.system.name": "mysql", "db.query.summary": summary, "db.query.text": sql };
      return both(observer.beginStatement(summary, sql), running.getStore()?.begin(summary, "client", attributes));
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
