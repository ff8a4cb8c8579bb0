// What a service implementation is here: one function an rpc, which gets the message and who calls.
import type { DescMethod, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { DomainError } from "../domain/errors.ts";
import type { Scope } from "../domain/identity/scopes.ts";
import type { ReportVisit } from "../domain/reports/report-access-port.ts";
import type { SessionName } from "../domain/sessions/session-port.ts";
import type { CallOrigin } from "../kernel/calls/core.ts";
import type { Deadline } from "../kernel/environment.ts";

/** The caller, once its token is resolved. */
export interface Principal {
  readonly clientId: string;
  /** The partner whose data the call reaches: the client's own, or the one it acts for. */
  readonly partnerId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** What a call is about, where its message does not say it. */
export interface Concern {
  readonly sessionId?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Id of a client or webhook endpoint. */
  readonly targetId?: string | undefined;
}

export interface Call {
  /** Undefined for calls that need no partner's token. */
  readonly principal: Principal | undefined;
  /** The one session that a browser's visit is for; undefined for all other callers. */
  readonly visitedSession: SessionName | undefined;
  /** A browser's visit to a report; undefined for all other callers. */
  readonly reportVisit: ReportVisit | undefined;
  readonly origin: CallOrigin;
  readonly deadline: Deadline;
  /**
   * Gives the place of the call back before its end: what is still to be done takes time, but nothing of what places
   * stand for. From then on the call must not go to the database.
   */
  readonly leavePlace: () => void;
  /** Waits for something outside the process without keeping its place meanwhile, and takes one again afterwards. */
  readonly idle: (wait: () => Promise<void>) => Promise<void>;
  /** Tells the audit log what the call is about; once for each session of several. */
  readonly concerns: (concern: Concern) => void;
}

type Unary<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageShape<I>, call: Call) => Promise<MessageInitShape<O>>
    : never;

/** An implementation of every rpc of a service. */
export type Implementation<S extends DescService> = { readonly [K in keyof S["method"]]: Unary<S["method"][K]> };

/** A function of an implementation, whatever its messages. */
export type Handler = (request: never, call: Call) => Promise<Record<string, unknown>>;

/** The functions of a service by rpc. */
export type Handlers = ReadonlyMap<DescMethod, Handler>;

/** Pairs the rpcs of a service with their functions; the types make sure that none is missing. */
export function implement<S extends DescService>(service: S, implementation: Implementation<S>): Handlers {
  const functions = implementation as Readonly<Record<string, Handler>>;
  const handlers = new Map<DescMethod, Handler>();
  for (const method of service.methods) {
    const handler = functions[method.localName];
    if (handler === undefined) throw new Error(`${method.name} is not implemented`);
    handlers.set(method, handler);
  }
  return handlers;
}

/** The caller of an rpc that requires a scope. */
export function principalOf(call: Call): Principal {
  if (call.principal === undefined) throw new DomainError("unauthenticated", "A valid access token is required.");
  return call.principal;
}

/** The session of an rpc that a visit is required for. */
export function visitedSessionOf(call: Call): SessionName {
  if (call.visitedSession === undefined) throw new DomainError("unauthenticated", "A visit's token is required.");
  return call.visitedSession;
}

/** The visit of an rpc that a visit to a report is required for. */
export function reportVisitOf(call: Call): ReportVisit {
  if (call.reportVisit === undefined) throw new DomainError("unauthenticated", "A visit's token is required.");
  return call.reportVisit;
}
