// One call inside the core: what its interceptors share, and what services read of it.
import type { DescMethod, DescMethodUnary, DescService, MessageShape } from "@bufbuild/protobuf";
import type { Scope } from "../domain/identity/scopes.ts";
import type { ModelOf } from "../json/messages.ts";
import { type Caller, type CallHead, type CallOrigin, toLimitKey } from "../kernel/calls/core.ts";
import type { Clock, Deadline } from "../kernel/environment.ts";
import { deadlineError, Refusal } from "../kernel/errors/refusal.ts";
import type { CallSpan } from "../kernel/telemetry.ts";
import type { Semaphore } from "../limits/semaphore.ts";
import type { ReportBrowserSession } from "../store/reports/report-access-store.ts";

/** One call: what interceptors share, and what they hand to the implementation, which ends by the deadline of the call. */
export class PipelineCall implements Deadline {
  readonly method: DescMethodUnary;
  readonly head: CallHead;
  /** The requirement of the rpc: a scope of access tokens, `hosted` or `report` of a browser session, or `none`. */
  readonly scope: string;
  /** When the call began, in milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Undefined if the call is not recorded. */
  span: CallSpan | undefined = undefined;
  /** As the transport reports it, or a trusted gateway. */
  origin: CallOrigin;
  /** The key under which limits count the caller; undefined until it is known. Set by authentication. */
  caller: Caller | undefined = undefined;
  /** The caller; set by authentication. */
  principal: Principal | undefined = undefined;
  /** The caller's browser session; set by authentication. */
  browserSession: BoundSession | ReportBrowserSession | undefined = undefined;
  /** The decoded message; set when the call runs. */
  message: unknown = undefined;
  /** The deadline of the implementation; set when the call runs. */
  deadline: CallDeadline | undefined = undefined;
  /** The time of the partner's sessions; set when the call runs. */
  now: Clock = failBeforeRun;
  /** Milliseconds by which that is ahead of the service's clock. */
  aheadMs = 0;
  /** Undefined if the call holds none. */
  slot: Disposable | undefined = undefined;
  /** The slots of the process; undefined for calls that need none. */
  slots: CallSlots | undefined = undefined;
  /** Slots of pages, one of which it takes before its own; undefined for most calls. */
  pageSlots: Semaphore | undefined = undefined;
  /** The resources that it concerns, where its messages do not name them: one for each session of several. */
  readonly auditSubjects: AuditSubject[] = [];

  constructor(method: DescMethodUnary, head: CallHead, scope: string, startedAt: number) {
    this.method = method;
    this.head = head;
    this.scope = scope;
    this.startedAt = startedAt;
    this.origin = head.origin;
  }

  /** The caller's network address. */
  get address(): string {
    return this.origin.address;
  }

  /** The partner whose data the call reaches, with a token of its own or of a browser session. Throws `unauthenticated`. */
  get partnerId(): string {
    return (this.principal ?? this.browserSession ?? throwUnauthenticated()).partnerId;
  }

  get clientId(): string {
    return (this.principal ?? throwUnauthenticated()).clientId;
  }

  get scopes(): Principal["scopes"] {
    return (this.principal ?? throwUnauthenticated()).scopes;
  }

  /** The session that the caller's browser session reaches. Throws `unauthenticated`. */
  get boundSession(): BoundSession {
    return this.browserSession ?? throwUnauthenticated(noBrowserSession);
  }

  /** The browser session of a report. Throws `unauthenticated`. */
  get reportBrowserSession(): ReportBrowserSession {
    const { browserSession } = this;
    return browserSession !== undefined && "linkHash" in browserSession
      ? browserSession
      : throwUnauthenticated(noBrowserSession);
  }

  get signal(): AbortSignal {
    return (this.deadline ?? failBeforeRun()).signal;
  }

  get endsAt(): number {
    return (this.deadline ?? failBeforeRun()).endsAt;
  }

  /** Whose limits it counts against. */
  get limitKey(): Caller {
    return toLimitKey(this);
  }

  /** Takes the slot of its page, then its own. One that has waited is not refused because other calls wait too. */
  async takeSlots(hasWaitedBefore: boolean): Promise<void> {
    using slots = new DisposableStack();
    let hasWaited = hasWaitedBefore;
    for (const semaphore of [this.pageSlots, this.slots?.running]) {
      if (semaphore === undefined) continue;
      const slot = semaphore.acquire(this.limitKey, this.signal, hasWaited);
      hasWaited ||= slot instanceof Promise;
      slots.use(await slot);
    }
    this.slot = slots.move();
  }

  /** Does work that needs no slot without one, and takes the same again afterwards. */
  async runWithoutSlot<T>(work: () => Promise<T>): Promise<T> {
    this.releaseSlot();
    const result = await work();
    await this.takeSlots(true);
    return result;
  }

  /** Waits for something other than the database, without a slot. Throws if too many calls wait for the same. */
  waitOutside<T>(reason: WaitReason, work: () => Promise<T>): Promise<T> {
    return this.runWithoutSlot(() => this.slots?.waiting[reason].run(this.limitKey, this.signal, work) ?? work());
  }

  /** Releases the slot before the call ends. From then on the call must not use the database. */
  releaseSlot(): void {
    this.slot?.[Symbol.dispose]();
    this.slot = undefined;
  }
}

export type Output = Record<string, unknown>;

/** A function of a service, whatever its messages. */
export type RpcHandler = (request: never, call: PipelineCall) => Promise<Output> | Output;

/** The functions of services by rpc. */
export type Handlers = ReadonlyMap<DescMethod, RpcHandler>;

/** The implementation of a service: a function for each of its rpcs. */
export type ServiceImpl<S extends DescService> = {
  [Name in keyof S["method"]]: (
    request: MessageShape<S["method"][Name]["input"]>,
    call: PipelineCall,
  ) => ResponseOf<S["method"][Name]> | Promise<ResponseOf<S["method"][Name]>>;
};
/** A response, or its model. */
type ResponseOf<M extends DescMethod> = ModelOf<MessageShape<M["output"]>>;

/** Pairs the rpcs of a service with their functions. */
export function toHandlers<S extends DescService>(service: S, implementation: ServiceImpl<S>): Handlers {
  return new Map(service.methods.map((method) => [method, implementation[method.localName] as RpcHandler]));
}

/** Lets a call pass, now or later, or throws. */
export type Interceptor = (call: PipelineCall) => void | Promise<void>;

/** Passes at its time, unless it is disposed of before: the call is over. */
export class CallDeadline implements Deadline, Disposable {
  readonly signal: AbortSignal;
  readonly endsAt: number;
  /** Called when it passes: cheaper than a listener of the signal. */
  onPassed: ((error: Refusal) => void) | undefined;
  readonly #timer: NodeJS.Timeout;

  /** @param now by the monotonic clock. @param limitMs from now on */
  constructor(now: number, limitMs: number) {
    const time = new AbortController();
    this.signal = time.signal;
    this.endsAt = now + limitMs;
    const pass = () => {
      const error = deadlineError();
      time.abort(error);
      this.onPassed?.(error);
    };
    this.#timer = setTimeout(pass, Math.max(limitMs, 0));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** The reasons to wait: events, or receivers of webhooks and name servers. */
export type WaitReason = "events" | "servers";

/** The slots of calls that run, of those that wait outside, and of pages that take the processor for long. */
export interface CallSlots {
  readonly running: Semaphore;
  readonly waiting: Readonly<Record<WaitReason, Semaphore>>;
  /** Pages of exports: few at a time, so that they slow no other call down. */
  readonly exportPages: Semaphore;
  /** One large page of a partner at a time: it takes as long as dozens of other calls. */
  readonly largePages: Semaphore;
}

/** A call that may have to wait for something other than the database. */
export type WaitingCall = Deadline & Pick<PipelineCall, "waitOutside">;

/** A call as the use cases of a partner need it. */
export type PartnerCall = Deadline & Pick<Principal, "partnerId">;

/** The time of a partner's sessions: a test twin has a clock of its own. */
export type SessionTime = Readonly<Pick<PipelineCall, "now" | "aheadMs">>;

/** A call that reads or changes sessions at their time. */
export type SessionCall = PartnerCall & SessionTime;

/** The same, where the caller's client or its scopes count. */
export type ClientCall = PartnerCall & Pick<Principal, "clientId" | "scopes">;

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
  /** Id of a client, a webhook endpoint or a group. */
  readonly targetId?: string | undefined;
}

const noBrowserSession = "A browser session's token is required.";

function failBeforeRun(): never {
  throw new Error("the call does not run yet");
}

function throwUnauthenticated(detail = "A valid access token is required."): never {
  throw new Refusal("unauthenticated", detail);
}
