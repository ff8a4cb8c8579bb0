// One call on its way through the pipeline: what the interceptors tell each other, the implementation, and what that is told
// beside its message.
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

/** The caller, once its token is resolved. */
export interface Principal {
  /** As whom limits count it: a client of its own partner, whichever one it acts for. */
  readonly caller: Caller;
  readonly clientId: string;
  /** The partner whose data the call reaches: the client's own, or the one it acts for. */
  readonly partnerId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** What a call is about, where its message does not say it. */
export interface AuditSubject {
  readonly sessionId?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Id of a client or webhook endpoint. */
  readonly targetId?: string | undefined;
}

/** The slot that a call holds in the process. */
export interface Slot {
  /**
   * Gives the slot back before the end of the call: what is still to be done takes time, but nothing of what slots
   * stand for. From then on the call must not go to the database.
   */
  readonly leave: () => void;
  /** Waits for something outside the process without keeping the slot meanwhile, and takes one again afterwards. */
  readonly idle: (wait: () => Promise<void>) => Promise<void>;
}

/** Unset for calls that need no partner's token. */
export const principalKey = keyOf<Principal>("principal");
/** The one session that a browser session is for; unset for all other callers. */
export const boundSessionKey = keyOf<SessionName>("visited session");
/** a browser session of a report; unset for all other callers. */
export const reportBrowserSessionKey = keyOf<ReportBrowserSession>("report browser session");
export const originKey = keyOf<CallOrigin>("origin");
export const deadlineKey = keyOf<Deadline>("deadline");
export const slotKey = keyOf<Slot>("slot");
/** Notified of what the call is about; unset for calls that are not recorded in the audit log. */
export const auditSubjectsKey = keyOf<(auditSubject: AuditSubject) => void>("audit subjects");

/** The caller of an rpc that requires a scope. */
export function principalOf({ values }: HandlerContext): Principal {
  return values.get(principalKey) ?? refuse("A valid access token is required.");
}

/** The session of an rpc that a browser session is required for. */
export function boundSessionOf({ values }: HandlerContext): SessionName {
  return values.get(boundSessionKey) ?? refuse("A browser session's token is required.");
}

/** The browser session of an rpc that a browser session of a report is required for. */
export function reportBrowserSessionOf({ values }: HandlerContext): ReportBrowserSession {
  return values.get(reportBrowserSessionKey) ?? refuse("A browser session's token is required.");
}

/** Where the call comes from. */
export function originOf(context: HandlerContext): CallOrigin {
  return required(context, originKey);
}

/** How long the call may go on. */
export function deadlineOf(context: HandlerContext): Deadline {
  return required(context, deadlineKey);
}

/** The slot of the call. */
export function slotOf(context: HandlerContext): Slot {
  return required(context, slotKey);
}

/** Tells the audit log what the call is about; once for each session of several. */
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
