// The pipeline: the core inside the process. Every transport calls it directly, without serialising anything. A call passes
// interceptors in their order, among them the checks below, then the implementation of its rpc.
import { create, type DescMessage, type DescMethod, type DescMethodUnary } from "@bufbuild/protobuf";
import { isInternalScope } from "../domain/identity/scopes.ts";
import { type Check, createMessageCheck } from "../json/bounds.ts";
import { fromModel } from "../json/messages.ts";
import {
  type AdmittedCall,
  type CallHead,
  type Core,
  getMessageLimit,
  headerNames,
  isBrowserScope,
  toCallEvent,
  toSpanStart,
} from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import {
  type CallerGone,
  explainNotFound,
  invalidRequestError,
  notFoundError,
  type Refusal,
  toRefusal,
  unknownProductError,
} from "../kernel/errors/refusal.ts";
import { isProduct } from "../kernel/ids.ts";
import { readRequiredScope } from "../kernel/rpc-options.ts";
import type { CallEvent, CallTracing } from "../kernel/telemetry.ts";
import { FairLoop } from "../limits/event-loop.ts";
import { CallDeadline, type Handlers, type Interceptor, type Output, PipelineCall, type RpcHandler } from "./call.ts";

interface Rpc {
  readonly scope: string;
  readonly handler: RpcHandler;
  readonly toResponse: (output: Output) => unknown;
}

export interface PipelineOptions {
  readonly handlers: Handlers;
  /** Interceptors of calls whose messages are not read yet, in the order in which calls pass them. */
  readonly beforeMessage: readonly Interceptor[];
  /** Interceptors of calls whose messages were read, in the same way. */
  readonly afterMessage: readonly Interceptor[];
  readonly monotonic: MonotonicClock;
  /** Notified of every call when it is over, also of one that was refused. Never throws. */
  readonly observer: (event: CallEvent) => void;
  /** Undefined: no call is recorded. */
  readonly tracing?: CallTracing | undefined;
}

/**
 * A core that runs interceptors and implementation in this process. It also maps and masks errors, as a transport would.
 * A caller that leaves cancels nothing that has begun: each cancelled statement would cost the others a database connection.
 */
export function createPipeline(options: PipelineOptions): Core {
  const pipeline = { ...options, loop: new FairLoop(options.monotonic) };
  const rpcs = new Map<DescMethod, Rpc>();
  for (const [method, handler] of options.handlers) {
    rpcs.set(method, { handler, scope: readRequiredScope(method), toResponse: fromModel(method.output) });
  }
  return {
    admit(method, head) {
      const rpc = rpcs.get(method);
      if (rpc === undefined) throw new Error(`${method.name} is not served here`);
      return new AdmittedPipelineCall(pipeline, rpc, method, head).admit() as never;
    },
  };
}

type Pipeline = PipelineOptions & { readonly loop: FairLoop };

class AdmittedPipelineCall extends PipelineCall implements AdmittedCall {
  readonly maxBytes: number;
  readonly #pipeline: Pipeline;
  readonly #rpc: Rpc;
  /** The partner under which the event loop counts it, while it runs. */
  #countedPartner: string | undefined;

  constructor(pipeline: Pipeline, rpc: Rpc, method: DescMethodUnary, head: CallHead) {
    super(method, head, rpc.scope, pipeline.monotonic());
    this.maxBytes = getMessageLimit(rpc.scope);
    this.#pipeline = pipeline;
    this.#rpc = rpc;
  }

  async admit(): Promise<this> {
    const { beforeMessage, tracing } = this.#pipeline;
    try {
      // A gateway has sampled what it forwards.
      if (this.head.header(headerNames.gatewayAuthorization) === undefined)
        this.span = tracing?.sample(toSpanStart(this));
      const { span } = this;
      const passing =
        span === undefined ? this.#intercept(beforeMessage) : span.run(() => this.#intercept(beforeMessage));
      if (passing !== undefined) await passing;
      if (tracing !== undefined && this.#mayBeFollowed()) this.span ??= tracing.follow(toSpanStart(this));
      return this;
    } catch (error) {
      throw this.end(error);
    }
  }

  run(message: unknown): Promise<never> {
    return this.span === undefined ? this.#handle(message) : this.span.run(() => this.#handle(message));
  }

  /** Whether the caller's decision to sample is followed: of a gateway, or a client of an internal partner. Only those have such scopes. */
  #mayBeFollowed(): boolean {
    return this.origin.isTrusted || [...(this.principal?.scopes ?? [])].some(isInternalScope);
  }

  async #handle(message: unknown): Promise<never> {
    this.message = create(this.method.input, message as never);
    const { afterMessage, loop } = this.#pipeline;
    this.#countedPartner = this.limitKey.partner;
    loop.begin(this.#countedPartner);
    const passing = this.#intercept(afterMessage);
    if (passing !== undefined) await passing;
    const { partner } = this.limitKey;
    const turn = loop.waitForTurn(partner);
    if (turn !== undefined) await turn;
    const output = await runHandler(this.#rpc.handler, this);
    // Encoding the response may take as long.
    const last = loop.waitForTurn(partner);
    if (last !== undefined) await last;
    const response = this.#rpc.toResponse(output);
    this.#finish();
    return response as never;
  }

  /** Passes the interceptors from one of them on; undefined: it has passed them all. */
  #intercept(interceptors: readonly Interceptor[], begin = 0): undefined | Promise<void> {
    for (let index = begin; index < interceptors.length; index += 1) {
      const passing = interceptors[index]?.(this);
      if (passing !== undefined) return passing.then(() => this.#intercept(interceptors, index + 1));
    }
    return undefined;
  }

  end(cause: unknown): Refusal | CallerGone {
    const error = explainNotFound(toRefusal(cause), this.message);
    this.#finish(error);
    return error;
  }

  #finish(error?: Refusal | CallerGone): void {
    const { loop, observer, monotonic } = this.#pipeline;
    this.deadline?.[Symbol.dispose]();
    this.releaseSlot();
    if (this.#countedPartner !== undefined) loop.end(this.#countedPartner);
    observer(toCallEvent(this, error, monotonic()));
  }
}

/** Runs the implementation, and stops waiting for it when the deadline passes. */
function runHandler(handler: RpcHandler, call: PipelineCall) {
  const { deadline, signal } = call;
  return new Promise<Output>((resolve, reject) => {
    signal.throwIfAborted();
    if (deadline !== undefined) deadline.onPassed = reject;
    Promise.resolve(handler(call.message as never, call)).then(resolve, reject);
  });
}

const defaultTimeoutMs = 10_000;

/** Starts the deadline of a call whose message has arrived: the caller's own up to a limit, or 10 s by default. */
export function startDeadline(monotonic: MonotonicClock, maxTimeoutMs = 30_000): Interceptor {
  return (call) => {
    const { timeoutMs } = call.head;
    const now = monotonic();
    const remainingMs = (timeoutMs ?? 0) - (now - call.startedAt);
    const limitMs = timeoutMs === undefined ? defaultTimeoutMs : Math.min(remainingMs, maxTimeoutMs);
    call.deadline = new CallDeadline(now, limitMs);
  };
}

/** Limits calls of pages to the session of their browser session: any other session is not found. */
export function requireOwnSession({ scope, message, browserSession }: PipelineCall): void {
  if (!isBrowserScope(scope)) return;
  const { sessionId } = message as { readonly sessionId?: string };
  if (sessionId !== browserSession?.sessionId) throw notFoundError();
}

/** Refuses messages with values out of the bounds of the protos. The checks of a message type are made by its first call. */
export function validate(): Interceptor {
  // At most one for each message type of the protos.
  const checks = new Map<DescMessage, Check>();
  return ({ method: { input }, message }) => {
    const check = checks.get(input) ?? createMessageCheck(input) ?? (() => []);
    checks.set(input, check);
    const violations = check(message as never, []);
    if (violations.length === 0) return;
    const { product } = message as { readonly product?: string };
    throw !product || isProduct(product) ? invalidRequestError(violations) : unknownProductError();
  };
}
