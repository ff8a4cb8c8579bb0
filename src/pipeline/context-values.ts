// What a service is told of a call beside its message: typed values of Connect's handler context, alike for every
// transport.
import { type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Scope } from "../domain/identity/scopes.ts";
import type { SessionName } from "../domain/sessions/session.ts";
import type { CallOrigin } from "../kernel/calls/core.ts";
import type { Deadline } from "../kernel/environment.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import type { Caller } from "../kernel/limits/caller.ts";
import type { ReportBrowserSession } from "../store/reports/report-access-store.ts";

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
