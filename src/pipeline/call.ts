// One call on its way through the pipeline: what interceptors share, and what they hand to the implementation.
import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Scope } from "../domain/identity/scopes.ts";
import type { SessionName } from "../domain/sessions/session.ts";
import type { CallOrigin, IncomingCall } from "../kernel/calls/core.ts";
import type { Deadline } from "../kernel/environment.ts";
import { deadlinePassed, Refusal } from "../kernel/errors/refusal.ts";
import type { Caller } from "../kernel/limits/caller.ts";
import type { CallSpan } from "../kernel/telemetry.ts";
import type { ReportBrowserSession } from "../store/reports/report-access-store.ts";

export class PipelineCall {
  readonly incoming: IncomingCall;
  readonly method: DescMethodUnary;
  /** The scope that the rpc requires, `none` or `hosted`. */
  readonly scope: string;
  /** When the call began, in milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Seconds that it waited for an event outside the process; set by admission. */
  waitedSeconds = 0;
  /** Undefined if the call is not recorded. */
  span: CallSpan | undefined = undefined;
  /** As the transport reports it, or a trusted gateway. */
  origin: CallOrigin;
  /** The key under which limits count the caller; undefined until it is known. Set by authentication. */
  caller: Caller | undefined = undefined;
  /** Who calls; set by authentication. */
  principal: Principal | undefined = undefined;
  /** The session that the caller's browser session reaches; set by authentication. */
  boundSession: SessionName | undefined = undefined;
  /** The caller's browser session of a report; set by authentication. */
  reportBrowserSession: ReportBrowserSession | undefined = undefined;
  /** The decoded message; set when it was read. */
  message: unknown = undefined;
  /** The deadline of the implementation; set when the message was read. */
  deadline: CallDeadline | undefined = undefined;
  /** Undefined if the call holds none. */
  slot: Disposable | undefined = undefined;
  /** Gives the slot back, if the call holds one; set by admission. */
  leaveSlot: () => void = () => undefined;
  /** Waits without holding the slot; set by admission. */
  idle: (wait: () => Promise<void>) => Promise<void> = (wait) => wait();

  constructor(incoming: IncomingCall, scope: string, startedAt: number) {
    this.incoming = incoming;
    this.method = incoming.method;
    this.scope = scope;
    this.startedAt = startedAt;
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
  /** Its name in the order of the pipeline. */
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

/** The slot that a call holds in the process. */
export interface Slot {
  /**
   * Releases the slot before the call ends: what is left takes time, but nothing that slots limit. From then on the
   * call must not use the database.
   */
  readonly leave: () => void;
  /** Waits for an event outside the process without holding the slot, and takes one again afterwards. */
  readonly idle: (wait: () => Promise<void>) => Promise<void>;
}

/** Unset for calls that need no partner's token. */
export const principalKey = keyOf<Principal>("principal");
/** The session that a browser session reaches; unset for all other callers. */
export const boundSessionKey = keyOf<SessionName>("visited session");
/** The browser session of a report; unset for all other callers. */
export const reportBrowserSessionKey = keyOf<ReportBrowserSession>("report browser session");
export const originKey = keyOf<CallOrigin>("origin");
export const deadlineKey = keyOf<Deadline>("deadline");
export const slotKey = keyOf<Slot>("slot");
/** Receives the resource that the call concerns; unset for calls that are not recorded in the audit log. */
export const auditSubjectsKey = keyOf<(auditSubject: AuditSubject) => void>("audit subjects");

/** The caller of an rpc that requires a scope. */
export function principalOf({ values }: HandlerContext): Principal {
  return values.get(principalKey) ?? refuse("A valid access token is required.");
}

/** The session of an rpc that requires a browser session. */
export function boundSessionOf({ values }: HandlerContext): SessionName {
  return values.get(boundSessionKey) ?? refuse("A browser session's token is required.");
}

/** The browser session of an rpc that requires one of a report. */
export function reportBrowserSessionOf({ values }: HandlerContext): ReportBrowserSession {
  return values.get(reportBrowserSessionKey) ?? refuse("A browser session's token is required.");
}

/** Where the call comes from. */
export function originOf(context: HandlerContext): CallOrigin {
  return required(context, originKey);
}

/** The deadline of the call. */
export function deadlineOf(context: HandlerContext): Deadline {
  return required(context, deadlineKey);
}

/** The slot of the call. */
export function slotOf(context: HandlerContext): Slot {
  return required(context, slotKey);
}

/** Tells the audit log which resource the call concerns; once for each session of several. */
export function addAuditSubject({ values }: HandlerContext, auditSubject: AuditSubject): void {
  values.get(auditSubjectsKey)?.(auditSubject);
}

function keyOf<T>(description: string): ContextKey<T | undefined> {
  return createContextKey<T | undefined>(undefined, { description });
}

function required<T>({ values }: HandlerContext, key: ContextKey<T | undefined>): T {
  const value = values.get(key);
  if (value === undefined) throw new Error(`a call without ${key.id.description}`);
  return value;
}

function refuse(detail: string): never {
  throw new Refusal("unauthenticated", detail);
}
