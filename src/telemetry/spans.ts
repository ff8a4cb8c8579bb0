// Spans by OpenTelemetry: imported only with tracing on. A handful are created by hand: automatic instrumentation
// records request URLs, which contain external ids.

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
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
import type { End, StoreObserver } from "../database/connection.ts";
import { readTraceId } from "../kernel/calls/core.ts";
import { releaseVersion } from "../kernel/release.ts";
import type { CallSpan, CallTracing, SpanAttributes, SpanStart } from "../kernel/telemetry.ts";

const stopTimeoutMs = 2_000;

export interface Tracing extends CallTracing {
  /** An observer of the store that also records the statements and waits of recorded calls. */
  readonly traceStatements: (observer: StoreObserver) => StoreObserver;
  /** Sends the remaining spans, with a timeout of two seconds. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Address at which an OTLP/HTTP collector accepts traces. */
  readonly url: string;
  readonly serviceName: string;
  /** Share of calls that are recorded, 0 to 1. */
  readonly share: number;
  /** Returns 0 to below 1, once for each call. */
  readonly random: () => number;
  /** Notified of spans that were exported, or failed to be. */
  readonly observe: (outcome: "exported" | "failed", spans: number) => void;
}

/** Starts tracing. */
export function startTracing(options: TracingOptions): Tracing {
  const processor = new BatchSpanProcessor({ exporter: createExporter(options) });
  // Sampling is decided before: by chance, or by the trusted caller.
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: createResource(options.serviceName),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("partner-assessment-service", releaseVersion);
  const running = new AsyncLocalStorage<CallSpan>();
  const record = (start: SpanStart) => recordCall(tracer, running, start);
  return {
    sample: (start) => (options.random() < options.share ? record(start) : undefined),
    follow: (start) => (isSampled(start) ? record(start) : undefined),
    traceStatements: (observer) => addSpans(observer, running),
    async stop() {
      const shutdown = provider.shutdown().catch(() => undefined);
      await Promise.race([shutdown, setTimeout(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** An observer of the store that also records statements and waits of recorded calls. */
function addSpans(observer: StoreObserver, running: AsyncLocalStorage<CallSpan>): StoreObserver {
  const endBoth = (end: End, span: CallSpan | undefined): End => {
    if (span === undefined) return end;
    return (error) => {
      end(error);
      span.end({}, error !== undefined);
    };
  };
  return {
    beginWait: () => endBoth(observer.beginWait(), running.getStore()?.begin("wait for a connection", "internal", {})),
    beginStatement(summary, sql) {
      const attributes = { "db.system.name": "mysql", "db.query.summary": summary, "db.query.text": sql };
      return endBoth(observer.beginStatement(summary, sql), running.getStore()?.begin(summary, "client", attributes));
    },
  };
}

const success = 0;

/** An exporter that reports success or failure: the library would drop spans silently. */
function createExporter({ url, observe }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        observe(result.code === success ? "exported" : "failed", spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** The resource: name and version of the service, and what OTEL_RESOURCE_ATTRIBUTES says. */
export function createResource(serviceName: string): Resource {
  const own = { "service.name": serviceName, "service.version": releaseVersion };
  const resource = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(resource);
}

/** Whether a caller records its call. */
function isSampled({ traceparent }: SpanStart): boolean {
  return traceparent !== undefined && (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Limit of spans within one call; an erasure has thousands of statements. */
const maxChildSpans = 100;

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** The common parts of the spans of a call. */
interface Recording {
  readonly tracer: Tracer;
  readonly running: AsyncLocalStorage<CallSpan>;
  /** Milliseconds since 1970 at the zero of the monotonic clock. */
  readonly epoch: number;
  childCount: number;
}

/** Begins the span of a call. @param running the span whose work runs */
function recordCall(tracer: Tracer, running: AsyncLocalStorage<CallSpan>, start: SpanStart): CallSpan {
  const epoch = Date.now() - performance.now();
  const options = { kind: SpanKind.SERVER, startTime: epoch + start.startedAt };
  const span = tracer.startSpan(start.name, options, toRemoteContext(start));
  return new RecordedSpan({ tracer, running, epoch, childCount: 0 }, span);
}

class RecordedSpan implements CallSpan {
  readonly #recording: Recording;
  readonly #span: Span;

  constructor(recording: Recording, span: Span) {
    this.#recording = recording;
    this.#span = span;
  }

  get traceparent(): string {
    const { traceId, spanId } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  run<T>(work: () => T): T {
    return this.#recording.running.run(this, work);
  }

  begin(name: string, kind: keyof typeof kinds, attributes: SpanAttributes): CallSpan | undefined {
    const { tracer, epoch, childCount } = this.#recording;
    if (childCount >= maxChildSpans) return undefined;
    this.#recording.childCount += 1;
    const options = { kind: kinds[kind], startTime: epoch + performance.now(), attributes };
    const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
    return new RecordedSpan(this.#recording, span);
  }

  end(attributes: SpanAttributes, isError: boolean): void {
    this.#span.setAttributes(attributes);
    if (isError) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(this.#recording.epoch + performance.now());
  }
}

/** The caller's span as the parent, if the caller names one. */
function toRemoteContext({ traceparent }: SpanStart): Context {
  const traceId = readTraceId(traceparent);
  if (traceparent === undefined || traceId === undefined) return ROOT_CONTEXT;
  const spanId = traceparent.slice(36, 52);
  const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
