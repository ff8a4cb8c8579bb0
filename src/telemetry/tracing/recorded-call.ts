// A recorded call and its parts.
import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  createTraceState,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { traceIdOf } from "../../kernel/calls/core.ts";
import type { CallSpan, ChildSpan, SpanAttributes, SpanKind, SpanStart } from "../../kernel/telemetry.ts";

/** Limit of parts of one call; an erasure has thousands of statements. */
const maxParts = 100;

const kinds: Readonly<Record<SpanKind, Kind>> = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL };

class Part implements ChildSpan {
  protected readonly span: Span;
  /** Milliseconds since 1970 at the zero of the monotonic clock, the same for all parts of a call. */
  protected readonly epoch: number;

  constructor(span: Span, epoch: number) {
    this.span = span;
    this.epoch = epoch;
  }

  get traceparent(): string {
    const { traceId, spanId } = this.span.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  get tracestate(): string | undefined {
    return this.span.spanContext().traceState?.serialize();
  }

  end(attributes: SpanAttributes, isError: boolean): void {
    this.span.setAttributes(attributes);
    if (isError) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end(this.epoch + performance.now());
  }
}

export class RecordedCall extends Part implements CallSpan {
  readonly #tracer: Tracer;
  readonly #running: AsyncLocalStorage<CallSpan>;
  readonly #context: Context;
  #parts = 0;

  constructor(tracer: Tracer, running: AsyncLocalStorage<CallSpan>, start: SpanStart) {
    const epoch = Date.now() - performance.now();
    const options = { kind: Kind.SERVER, startTime: epoch + start.startedAt };
    const span = tracer.startSpan(start.name, options, remoteContext(start));
    super(span, epoch);
    this.#tracer = tracer;
    this.#running = running;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  run<T>(work: () => T): T {
    return this.#running.run(this, work);
  }

  begin(name: string, kind: SpanKind, attributes: SpanAttributes): ChildSpan | undefined {
    if (this.#parts >= maxParts) return undefined;
    this.#parts += 1;
    const startTime = this.epoch + performance.now();
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], startTime, attributes }, this.#context);
    return new Part(span, this.epoch);
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
