// The pipeline: the core inside the process. Every transport calls it directly, without serialising anything.
import { create, type DescMethod, type DescMethodUnary, type DescService } from "@bufbuild/protobuf";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { Core } from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import type { ErrorCode } from "../kernel/errors/error-table.ts";
import { ofItsProduct, outcomeOf, Refusal, toRefusal, violationOf } from "../kernel/errors/refusal.ts";
import { type Caller, strangerAt } from "../kernel/limits/caller.ts";
import { requiredScope } from "../kernel/rpc-options.ts";
import type { CallEvent } from "../kernel/telemetry.ts";
import {
  boundSessionKey,
  deadlineKey,
  type Handler,
  type Handlers,
  type Interceptor,
  originKey,
  PipelineCall,
  principalKey,
  reportBrowserSessionKey,
  slotKey,
} from "./call.ts";

/** Refusals that cost a caller nothing, so that it could cause thousands a second: they are delayed. */
const pacedCodes: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable"]);

interface Rpc {
  readonly scope: string;
  readonly handler: Handler;
}

export interface PipelineOptions {
  readonly handlers: Handlers;
  /** In the order in which calls pass them. */
  readonly interceptors: readonly Interceptor[];
  readonly monotonic: MonotonicClock;
  /** Notified of every call when it is over, also of one that was refused. */
  readonly observer: (event: CallEvent) => void;
  /** Resolves when a refusal of the caller may be sent. */
  readonly pacing: (caller: Caller) => Promise<void>;
}

/**
 * A core that runs interceptors and implementation in this process. It also maps and masks errors, as a transport would.
 * A caller that leaves cancels nothing that has begun, so that nobody can make others pay, for example with a connection
 * to the database, by leaving early.
 */
export function createPipeline({ handlers, interceptors, monotonic, pacing, observer }: PipelineOptions): Core {
  const rpcs = new Map<DescMethod, Rpc>();
  for (const [method, handler] of handlers) rpcs.set(method, { handler, scope: requiredScope(method) });

  return {
    async call(incoming) {
      const rpc = rpcs.get(incoming.method);
      if (rpc === undefined) throw new Error(`${incoming.method.name} is not served here`);
      const call = new PipelineCall(incoming, rpc.scope, monotonic());
      let entered = 0;
      const leave = (error: unknown) => {
        for (let index = entered - 1; index >= 0; index -= 1) interceptors[index]?.leave?.(call, error);
        observer(eventOf(call, error, monotonic()));
      };
      const proceed = async (): Promise<Record<string, unknown>> => {
        while (entered < interceptors.length) {
          const isRecorded = call.span !== undefined;
          const passing = interceptors[entered]?.enter(call);
          if (passing !== undefined) await passing;
          entered += 1;
          // From here on it is known that the call is recorded, so everything becomes a part of its span.
          if (!isRecorded && call.span !== undefined) return call.span.run(proceed);
        }
        return runHandler(rpc.handler, call, monotonic);
      };
      try {
        const output = await proceed();
        const response = create(incoming.method.output, output);
        leave(undefined);
        return response as never;
      } catch (thrown) {
        const error = ofItsProduct(toRefusal(thrown), call.message);
        leave(error);
        if (error instanceof Refusal && pacedCodes.has(error.code)) {
          await pacing(call.caller ?? strangerAt(call.origin.address));
        }
        // The observer has seen the cause. From here on it could only leak: a transport may print errors that it sends.
        throw error instanceof Refusal && error.cause !== undefined ? withoutCause(error) : error;
      }
    },
  };
}

/** Runs the implementation, and stops waiting for it when the deadline passes. */
function runHandler(handler: Handler, call: PipelineCall, monotonic: MonotonicClock) {
  const { message } = call;
  const context = new CallContext(call, monotonic);
  const { signal } = context;
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    Promise.resolve(handler(message as never, context)).then(resolve, reject);
  });
}

function eventOf(call: PipelineCall, error: unknown, now: number): CallEvent {
  const { method, origin, principal, startedAt, waitedSeconds, span } = call;
  return {
    rpc: `${method.parent.name}/${method.name}`,
    transport: origin.transport,
    requestId: origin.requestId,
    traceparent: origin.traceparent,
    span,
    clientId: principal?.clientId,
    partnerId: principal?.partnerId,
    outcome: outcomeOf(error),
    violation: violationOf(error),
    seconds: (now - startedAt) / 1000 - waitedSeconds,
    cause: error instanceof Refusal ? error.cause : undefined,
  };
}

function withoutCause({ code, message, violations, isTruncated, retryAfterSeconds, facts }: Refusal): Refusal {
  return new Refusal(code, message, { violations, isTruncated, retryAfterSeconds, facts });
}

/**
 * Connect's context of a call, for every transport. The library's own also has headers and abort controllers, which take
 * several times as long to make as all interceptors take to run.
 */
export class CallContext implements HandlerContext {
  readonly method: DescMethodUnary;
  readonly signal: AbortSignal;
  readonly protocolName: string;
  readonly requestMethod = "POST";
  readonly timeoutMs: () => number | undefined;
  readonly values = createContextValues();

  constructor(call: PipelineCall, monotonic: MonotonicClock) {
    const { method, origin, deadline } = call;
    if (deadline === undefined) throw new Error("no interceptor has read the message");
    this.method = method;
    this.signal = deadline.signal;
    this.protocolName = origin.transport;
    this.timeoutMs = () => deadline.at - monotonic();
    this.values
      .set(originKey, origin)
      .set(deadlineKey, deadline)
      .set(slotKey, { leave: call.leaveSlot, idle: call.idle })
      .set(principalKey, call.principal)
      .set(boundSessionKey, call.boundSession)
      .set(reportBrowserSessionKey, call.reportBrowserSession);
  }

  get service(): DescService {
    return this.method.parent;
  }

  get url(): string {
    return `/${this.service.typeName}/${this.method.name}`;
  }

  // Transports read and write headers; the values have those that are trusted.
  get requestHeader(): never {
    throw withoutHeaders();
  }

  get responseHeader(): never {
    throw withoutHeaders();
  }

  get responseTrailer(): never {
    throw withoutHeaders();
  }
}

function withoutHeaders(): Error {
  return new Error("services have no headers");
}
