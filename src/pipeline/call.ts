// One call on its way through the pipeline: what the interceptors tell each other, and the implementation.
import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { SessionName } from "../domain/sessions/session.ts";
import type { CallOrigin, IncomingCall } from "../kernel/calls/core.ts";
import type { Deadline } from "../kernel/environment.ts";
import { deadlinePassed } from "../kernel/errors/refusal.ts";
import type { Caller } from "../kernel/limits/caller.ts";
import type { AuditRule } from "../kernel/rpc-options/audit-rules.ts";
import type { CallSpan } from "../kernel/telemetry/tracing.ts";
import type { ReportBrowserSession } from "../store/reports/report-access-store.ts";
import type { Principal } from "./context-values.ts";

/** What is known of an rpc. */
export interface Rpc {
  readonly scope: string;
  readonly auditRule: AuditRule | undefined;
  readonly handler: Handler;
}

export class PipelineCall {
  readonly incoming: IncomingCall;
  readonly method: DescMethodUnary;
  /** The scope that the rpc requires, `none` or `hosted`. */
  readonly scope: string;
  /** How the call is recorded in the audit log; undefined if it is not. */
  readonly auditRule: AuditRule | undefined;
  /** The implementation, and what interceptors have put around it. */
  handler: Handler;
  /** When the call began, in seconds of a monotonic clock; set by observation. */
  startedAt = 0;
  /** Seconds that it waited for something outside the process to happen; set by admission. */
  waitedSeconds = 0;
  /** Undefined if the call is not recorded. */
  span: CallSpan | undefined = undefined;
  /** As the transport says, or as a gateway says that is known to be one. */
  origin: CallOrigin;
  /** As whom limits count the caller; undefined until it is known. Set by authentication. */
  caller: Caller | undefined = undefined;
  /** Who calls; set by authentication. */
  principal: Principal | undefined = undefined;
  /** The one session that the caller's browser session is for; set by authentication. */
  boundSession: SessionName | undefined = undefined;
  /** The caller's browser session of a report; set by authentication. */
  reportBrowserSession: ReportBrowserSession | undefined = undefined;
  /** The decoded message; set when it was read. */
  message: unknown = undefined;
  /** How long the implementation may go on; set when the message was read. */
  deadline: CallDeadline | undefined = undefined;
  /** Undefined if the call holds none. */
  slot: Disposable | undefined = undefined;
  /** Gives the slot back, if the call holds one; set by admission. */
  leaveSlot: () => void = () => undefined;
  /** Waits without a slot; set by admission. */
  idle: (wait: () => Promise<void>) => Promise<void> = (wait) => wait();

  constructor(incoming: IncomingCall, { scope, auditRule, handler }: Rpc) {
    this.incoming = incoming;
    this.method = incoming.method;
    this.scope = scope;
    this.auditRule = auditRule;
    this.handler = handler;
    this.origin = incoming.origin;
  }
}

type Output = Record<string, unknown>;

/** A function of a service, whatever its messages. */
export type Handler = (request: never, context: HandlerContext) => Promise<Output> | Output;

/** The functions of services by rpc. */
export type Handlers = ReadonlyMap<DescMethod, Handler>;

/** Pairs the rpcs of a service with their functions. */
export function handlersOf<S extends DescService>(service: S, implementation: ServiceImpl<S>): Handlers {
  const functions = implementation as Readonly<Record<string, Handler>>;
  const handlers = new Map<DescMethod, Handler>();
  for (const method of service.methods) {
    const handler = functions[method.localName];
    if (handler === undefined) throw new Error(`${method.name} is not implemented`);
    handlers.set(method, handler);
  }
  return handlers;
}

export interface Interceptor {
  /** Names it in the order of the pipeline. */
  readonly name: string;
  /** Lets the call pass, now or later, or throws. */
  enter(call: PipelineCall): void | Promise<void>;
  /** Notified when a call that passed is over. @param error undefined for a success; else what the call ended with */
  leave?(call: PipelineCall, error: unknown): void;
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

  /** Stops the clock: the call is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Runs work that has to be done within the time, and gives the clock back at once. */
export async function within<T>(now: number, limitMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = new CallDeadline(now, limitMs);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}
