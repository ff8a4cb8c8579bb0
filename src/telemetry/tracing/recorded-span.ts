// A recorded call, and the spans within it.
import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { traceIdOf } from "../../kernel/calls/core.ts";
import type { CallSpan, SpanAttributes, SpanStart } from "../../kernel/telemetry.ts";

/** Limit of spans within one call; an erasure has thousands of statements. */
const maxParts = 100;

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** What the spans of a call share. */
interface Recording {
  readonly tracer: Tracer;
  readonly running: AsyncLocalStorage<CallSpan>;
  /** Milliseconds since 1970 at the zero of the monotonic clock. */
  readonly epoch: number;
  parts: number;
}

/** Begins the span of a call. @param running the span whose work runs */
export function recordCall(tracer: Tracer, running: AsyncLocalStorage<CallSpan>, start: SpanStart): CallSpan {
  const epoch = Date.now() - performance.now();
  const options = { kind: SpanKind.SERVER, startTime: epoch + start.startedAt };
  const span = tracer.startSpan(start.name, options, remoteContext(start));
  return new RecordedSpan({ tracer, running, epoch, parts: 0 }, span);
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

  get tracestate(): string | undefined {
    return this.#span.spanContext().traceState?.serialize();
  }

  run<T>(work: () => T): T {
    return this.#recording.running.run(this, work);
  }

  begin(name: string, kind: keyof typeof kinds, attributes: SpanAttributes): CallSpan | undefined {
    const { tracer, epoch, parts } = this.#recording;
    if (parts >= maxParts) return undefined;
    this.#recording.parts += 1;
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
function remoteContext({ traceparent, tracestate }: SpanStart): Context {
  const traceId = traceIdOf(traceparent);
  if (traceparent === undefined || traceId === undefined) return ROOT_CONTEXT;
  const spanId = traceparent.slice(36, 52);
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true, ...state };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
