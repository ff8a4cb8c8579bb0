// The pipeline: the core inside the process. Every transport calls it directly, without serialising anything. A call passes
// interceptors in their order, then the implementation of its rpc.
import { create, type DescMethod, type DescMethodUnary } from "@bufbuild/protobuf";
import type { Scope } from "../domain/identity/scopes.ts";
import { type AdmittedCall, type CallHead, type CallOrigin, type Core, maxBytesOf } from "../kernel/calls/core.ts";
import type { Deadline, MonotonicClock, ReportDefect } from "../kernel/environment.ts";
import type { ErrorCode } from "../kernel/errors/error-table.ts";
import {
  type CallerGone,
  deadlinePassed,
  explained,
  outcomeOf,
  Refusal,
  toRefusal,
  violationOf,
} from "../kernel/errors/refusal.ts";
import { type Caller, networkCallerAt } from "../kernel/limits/caller.ts";
import type { Sender } from "../kernel/limits/slow-bodies.ts";
import { Turns } from "../kernel/limits/turns.ts";
import { requiredScope } from "../kernel/rpc-options.ts";
import type { CallEvent, CallSpan } from "../kernel/telemetry.ts";
import type { ReportBrowserSession } from "../store/reports/report-access-store.ts";

/** One call: what interceptors share, and what they hand to the implementation. */
export class PipelineCall {
  readonly method: DescMethodUnary;
  readonly head: CallHead;
  /** The scope that the rpc requires, `none` or `hosted`. */
  readonly scope: string;
  /** When the call began, in milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Undefined if the call is not recorded. */
  span: CallSpan | undefined = undefined;
  /** As the transport reports it, or a trusted gateway. */
  origin: CallOrigin;
  /** The key under which limits count the caller; undefined until it is known. Set by authentication. */
  caller: Caller | undefined = undefined;
  /** Who calls; set by authentication. */
  principal: Principal | undefined = undefined;
  /** The session that the caller's browser session reaches; set by authentication. */
  boundSession: BoundSession | undefined = undefined;
  /** The caller's browser session of a report; set by authentication. */
  reportBrowserSession: ReportBrowserSession | undefined = undefined;
  /** The decoded message; set when the call runs. */
  message: unknown = undefined;
  /** The deadline of the implementation; set when the call runs. */
  deadline: CallDeadline | undefined = undefined;
  /** Undefined if the call holds none. */
  slot: Disposable | undefined = undefined;
  /** Waits for an event outside the process without holding the slot, and takes one again afterwards; set by admission. */
  idle: (wait: () => Promise<void>) => Promise<void> = (wait) => wait();
  /** The resources that it concerns, where its message does not name them: one for each session of several. */
  readonly auditSubjects: AuditSubject[] = [];

  constructor(method: DescMethodUnary, head: CallHead, scope: string, startedAt: number) {
    this.method = method;
    this.head = head;
    this.scope = scope;
    this.startedAt = startedAt;
    this.origin = head.origin;
  }

  /**
   * Releases the slot before the call ends: what is left takes time, but nothing that slots limit. From then on the call
   * must not use the database.
   */
  leaveSlot(): void {
    this.slot?.[Symbol.dispose]();
    this.slot = undefined;
  }
}

type Output = Record<string, unknown>;

/** A function of a service, whatever its messages. */
export type Handler = (request: never, call: PipelineCall) => Promise<Output> | Output;

/** The functions of services by rpc. */
export type Handlers = ReadonlyMap<DescMethod, Handler>;

export interface Interceptor {
  /** Lets the call pass, now or later, or throws. */
  before(call: PipelineCall): void | Promise<void>;
  /** Notified when a call that passed is over. @param error undefined for a success; else what the call ended with */
  after?(call: PipelineCall, error: unknown): void;
}

export class CallDeadline implements Deadline {
  readonly signal: AbortSignal;
  readonly at: number;
  readonly #timer: NodeJS.Timeout;

  /** @param now by the monotonic clock. @param limitMs from now on */
  constructor(now: number, limitMs: number) {
    const time = new AbortController();
    this.signal = time.signal;
    this.at = now + limitMs;
    this.#timer = setTimeout(() => time.abort(deadlinePassed()), Math.max(limitMs, 0));
  }

  /** Stops the timer: the call is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Runs work with a deadline, and stops its timer afterwards. */
export async function within<T>(now: number, limitMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = new CallDeadline(now, limitMs);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}

/** The session that a browser session reaches. */
export type BoundSession = Pick<ReportBrowserSession, "partnerId" | "sessionId">;

/** The caller, once its token is resolved. */
export interface Principal {
  /** The key under which limits count it: a client of its own partner, whichever one it acts for. */
  readonly caller: Caller;
  readonly clientId: string;
  /** The partner whose data the call reaches: the client's own, or the one it acts for. */
  readonly partnerId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The resource that a call concerns, where its message does not name it. */
export interface AuditSubject {
  readonly sessionId?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Id of a client or webhook endpoint. */
  readonly targetId?: string | undefined;
}

/** The caller of an rpc that requires a scope. */
export function principalOf({ principal }: PipelineCall): Principal {
  return principal ?? refuse("A valid access token is required.");
}

/** The session of an rpc that requires a browser session. */
export function boundSessionOf({ boundSession }: PipelineCall): BoundSession {
  return boundSession ?? refuse("A browser session's token is required.");
}

/** The browser session of an rpc that requires one of a report. */
export function reportBrowserSessionOf({ reportBrowserSession }: PipelineCall): ReportBrowserSession {
  return reportBrowserSession ?? refuse("A browser session's token is required.");
}

/** The deadline of a call that runs. */
export function deadlineOf({ deadline }: PipelineCall): Deadline {
  if (deadline === undefined) throw new Error("no interceptor has set a deadline");
  return deadline;
}

function refuse(detail: string): never {
  throw new Refusal("unauthenticated", detail);
}

/** Refusals that cost a caller nothing, so that it could cause thousands a second: they are delayed. */
const pacedCodes: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable"]);

interface Rpc {
  readonly scope: string;
  readonly handler: Handler;
}

export interface PipelineOptions {
  readonly handlers: Handlers;
  /** In the order in which calls pass them, before their messages are read. */
  readonly admitting: readonly Interceptor[];
  /** The same, once their messages were read. */
  readonly running: readonly Interceptor[];
  readonly monotonic: MonotonicClock;
  /** Notified of every call when it is over, also of one that was refused. */
  readonly observer: (event: CallEvent) => void;
  /** Receives what interceptors or the observer throw once a call is over: its caller gets its response all the same. */
  readonly reportDefect: ReportDefect;
  /** Resolves when a refusal of the caller may be sent. */
  readonly pacing: (caller: Caller) => Promise<void>;
}

/**
 * A core that runs interceptors and implementation in this process. It also maps and masks errors, as a transport would.
 * A caller that leaves cancels nothing that has begun, so that nobody can make others pay, for example with a connection
 * to the database, by leaving early.
 */
export function createPipeline(options: PipelineOptions): Core {
  const pipeline = { ...options, turns: new Turns(options.monotonic) };
  const rpcs = new Map<DescMethod, Rpc>();
  for (const [method, handler] of options.handlers) rpcs.set(method, { handler, scope: requiredScope(method) });
  return {
    admit(method, head) {
      const rpc = rpcs.get(method);
      if (rpc === undefined) throw new Error(`${method.name} is not served here`);
      return new AdmittedPipelineCall(pipeline, rpc, method, head).admit() as never;
    },
  };
}

interface Pipeline extends PipelineOptions {
  readonly turns: Turns;
}

class AdmittedPipelineCall extends PipelineCall implements AdmittedCall {
  readonly maxBytes: number;
  readonly #pipeline: Pipeline;
  readonly #handler: Handler;
  readonly #passed: Interceptor[] = [];
  /** Whether it runs or is over. */
  #isBegun = false;

  constructor(pipeline: Pipeline, { scope, handler }: Rpc, method: DescMethodUnary, head: CallHead) {
    super(method, head, scope, pipeline.monotonic());
    this.maxBytes = maxBytesOf(scope);
    this.#pipeline = pipeline;
    this.#handler = handler;
  }

  get sender(): Sender {
    return { knownAs: this.caller, address: this.origin.address };
  }

  async admit(): Promise<this> {
    try {
      await this.#pass(this.#pipeline.admitting);
      return this;
    } catch (thrown) {
      throw await this.#refuse(thrown);
    }
  }

  async run(message: unknown): Promise<never> {
    this.#isBegun = true;
    try {
      const output = await (this.span === undefined ? this.#serve(message) : this.span.run(() => this.#serve(message)));
      const response = create(this.method.output, output);
      this.#leave(undefined);
      return response as never;
    } catch (thrown) {
      throw await this.#refuse(thrown);
    }
  }

  async end(error: unknown): Promise<Error> {
    if (this.#isBegun) return masked(toRefusal(error));
    this.#isBegun = true;
    return this.#refuse(error);
  }

  async #serve(message: unknown): Promise<Output> {
    this.message = create(this.method.input, message as never);
    const { running, turns } = this.#pipeline;
    await this.#pass(running);
    const { partner } = this.caller ?? networkCallerAt(this.origin.address);
    const turn = turns.take(partner);
    if (turn !== undefined) await turn;
    const output = await runHandler(this.#handler, this);
    // Encoding the response may take as long.
    const last = turns.take(partner);
    if (last !== undefined) await last;
    return output;
  }

  async #pass(interceptors: readonly Interceptor[]): Promise<void> {
    const isRecorded = this.span !== undefined;
    for (const interceptor of interceptors) {
      const passing = interceptor.before(this);
      if (passing !== undefined) await passing;
      this.#passed.push(interceptor);
      // From here on it is known that the call is recorded, so everything becomes a part of its span.
      if (!isRecorded && this.span !== undefined) {
        return this.span.run(() => this.#pass(interceptors.slice(interceptors.indexOf(interceptor) + 1)));
      }
    }
  }

  /** Ends the call. @returns the error to send */
  async #refuse(thrown: unknown): Promise<Refusal | CallerGone> {
    const error = explained(toRefusal(thrown), this.message);
    this.#leave(error);
    if (error instanceof Refusal && pacedCodes.has(error.code)) {
      await this.#pipeline.pacing(this.caller ?? networkCallerAt(this.origin.address));
    }
    return masked(error);
  }

  #leave(error: unknown): void {
    const { observer, monotonic, reportDefect } = this.#pipeline;
    for (let index = this.#passed.length; index >= 0; index -= 1) {
      try {
        if (index === 0) observer(eventOf(this, error, monotonic()));
        else this.#passed[index - 1]?.after?.(this, error);
      } catch (defect) {
        reportDefect(defect, "end of a call");
      }
    }
  }
}

/** Runs the implementation, and stops waiting for it when the deadline passes. */
function runHandler(handler: Handler, call: PipelineCall) {
  const { signal } = deadlineOf(call);
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    Promise.resolve(handler(call.message as never, call)).then(resolve, reject);
  });
}

function eventOf(call: PipelineCall, error: unknown, now: number): CallEvent {
  const { method, head, origin, principal, startedAt, span } = call;
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
    seconds: (now - startedAt) / 1000 - head.facts.waitedSeconds,
    cause: error instanceof Refusal ? error.cause : undefined,
  };
}

/** The error as it is sent. The observer has seen its cause, which could only leak: a transport may print what it sends. */
function masked(error: Refusal | CallerGone): Refusal | CallerGone {
  if (!(error instanceof Refusal) || error.cause === undefined) return error;
  const { code, message, violations, isTruncated, retryAfterSeconds, facts } = error;
  return new Refusal(code, message, { violations, isTruncated, retryAfterSeconds, facts });
}
