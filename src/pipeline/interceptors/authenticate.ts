// Finds out who calls, counts the request, and refuses what the token does not allow.

import { operatorClientId } from "../../domain/identifiers.ts";
import { isScope, scopes } from "../../domain/identity/scopes.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import { bearerToken, metadata } from "../../kernel/calls/metadata.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { lacksScope } from "../../kernel/errors/refusal.ts";
import { type Caller, callerOf } from "../../kernel/limits/caller.ts";
import type { Semaphore } from "../../kernel/limits/semaphore.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import {
  type BrowserAuthenticationDeps,
  resolveBrowserSession,
  resolveReportBrowserSession,
} from "../auth/browser-session.ts";
import type { ClientUses } from "../auth/client-uses.ts";
import { type AuthenticationDeps, actFor, countRequest, resolveToken } from "../auth/token.ts";
import type { InSlot, TokenOwner } from "../auth/token-resolver.ts";
import { type Interceptor, type PipelineCall, within } from "../call.ts";
import type { Principal } from "../context-values.ts";

/** How long the question who calls may take. */
const lookupTimeoutMs = 5_000;

export type AuthenticateDeps = AuthenticationDeps &
  BrowserAuthenticationDeps & {
    readonly admission: Semaphore;
    readonly monotonic: MonotonicClock;
    readonly clientUses: Pick<ClientUses, "note">;
  };

/**
 * Requires of every call the scope that its rpc states. Limit and scope come after the token, so that a refused token
 * costs nobody else anything; a call that a trusted gateway passes on was counted there. Calls of the hosted pages are
 * made with the token of a browser session instead, and those of report pages with one of theirs. A token that has to
 * be looked up takes one slot of its network for that time, however many calls wait for it; a known one takes nothing.
 */
export function authenticate(deps: AuthenticateDeps): Interceptor {
  return {
    name: "authenticate",
    enter(call) {
      const { scope, origin, incoming } = call;
      const address = origin.address;
      if (scope === "gateway" && origin.isTrusted) return;
      if (scope === "none") return deps.limits.strangers.check(address);
      const token = bearerToken(incoming.header(metadata.authorization));
      if (scope === "hosted") return authenticateBrowser(deps, call, token);
      if (scope === "report-visit") return authenticateReportBrowser(deps, call, token);
      const known = token === undefined ? undefined : deps.resolver.known(token);
      if (known !== undefined) return accept(deps, call, known);
      return authenticateUnknown(deps, call, token);
    },
  };
}

/** Lets an operator call, for the partner that is named: whoever has the database may do anything with it. */
export function authenticateOperator(deps: AuthenticateDeps): Interceptor {
  return {
    name: "authenticate",
    enter(call) {
      const named = call.incoming.header(metadata.partnerId);
      if (named === undefined) return;
      const caller = callerOf(named, operatorClientId);
      return acceptFor(deps, call, { caller, clientId: operatorClientId, scopes: new Set(scopes) }, named);
    },
  };
}

async function authenticateUnknown(deps: AuthenticateDeps, call: PipelineCall, token: string | undefined) {
  const { address } = call.origin;
  const owner = await resolveToken(
    deps,
    { token, address },
    lookUpInSlot(deps, deps.limits.strangers.callerOf(address, token)),
  );
  await accept(deps, call, owner);
}

/** Looks a token up in a slot of whoever sends it. */
export function lookUpInSlot(
  { admission, monotonic }: Pick<AuthenticateDeps, "admission" | "monotonic">,
  caller: Caller,
): InSlot {
  return (lookUp) => within(monotonic(), lookupTimeoutMs, ({ signal }) => admission.run(caller, signal, lookUp));
}

async function authenticateBrowser(deps: AuthenticateDeps, call: PipelineCall, token: string | undefined) {
  const { address } = call.origin;
  const session = await within(deps.monotonic(), lookupTimeoutMs, (deadline) =>
    deps.admission.run(deps.limits.strangers.callerOf(address, token), deadline.signal, () =>
      resolveBrowserSession(deps, { token, address }, deadline),
    ),
  );
  setBoundSession(call, session);
}

function setBoundSession(call: PipelineCall, session: SessionName): void {
  call.boundSession = session;
  call.caller = callerOf(session.partnerId, session.id);
}

async function authenticateReportBrowser(deps: AuthenticateDeps, call: PipelineCall, token: string | undefined) {
  const { address } = call.origin;
  const browserSession = await within(deps.monotonic(), lookupTimeoutMs, (deadline) =>
    deps.admission.run(deps.limits.strangers.callerOf(address, token), deadline.signal, () =>
      resolveReportBrowserSession(deps, { token, address }, deadline),
    ),
  );
  call.reportBrowserSession = browserSession;
  setBoundSession(call, { partnerId: browserSession.partnerId, id: browserSession.sessionId });
}

function accept(deps: AuthenticateDeps, call: PipelineCall, owner: TokenOwner): void | Promise<void> {
  const { scope, origin, incoming } = call;
  call.caller = owner.caller;
  incoming.onCaller?.(owner.caller);
  deps.clientUses.note(owner.clientId);
  if (!origin.isTrusted) {
    const quota = countRequest(deps, owner);
    if (quota !== undefined) incoming.onQuota?.(quota);
  }
  if (!isScope(scope) || !owner.scopes.has(scope)) throw lacksScope(scope);
  const named = incoming.header(metadata.partnerId);
  if (named !== undefined) return acceptFor(deps, call, owner, named);
  setPrincipal(call, owner);
}

async function acceptFor(
  deps: AuthenticateDeps,
  call: PipelineCall,
  owner: Omit<Principal, "partnerId">,
  named: string,
): Promise<void> {
  const principal = await within(deps.monotonic(), lookupTimeoutMs, (deadline) =>
    deps.admission.run(owner.caller, deadline.signal, () => actFor(deps, owner, named, deadline)),
  );
  setPrincipal(call, principal);
}

function setPrincipal(call: PipelineCall, principal: Principal): void {
  call.principal = principal;
  if (isTestTwin(principal.partnerId)) call.incoming.onTestData?.();
}
