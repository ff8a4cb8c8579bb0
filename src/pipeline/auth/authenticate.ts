// Authenticates the caller, also through a gateway in another process; counts the request, and checks the scope.
import { operatorClientId } from "../../domain/identifiers.ts";
import { scopes } from "../../domain/identity/scopes.ts";
import {
  type Caller,
  headerNames,
  parseBearerToken,
  parseTraceparent,
  toCaller,
  toRequestId,
} from "../../kernel/calls/core.ts";
import type { Deadline, MonotonicClock } from "../../kernel/environment.ts";
import { missingScopeError, Refusal, unauthenticatedError } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { HostedStore, Link } from "../../store/hosted/hosted-store.ts";
import type { ReportAccessStore } from "../../store/reports/report-access-store.ts";
import { CallDeadline, type CallSlots, type Interceptor, type PipelineCall, type Principal } from "../call.ts";
import { type BrowserAuthenticationDeps, type PersonSecrets, resolveBrowserSession } from "./browser-session.ts";
import {
  type AuthenticationDeps,
  actAsPartner,
  type ClientUses,
  countRequest,
  findTokenOwner,
  type TokenOwner,
} from "./token.ts";

/** Time limit for looking a token up. */
const lookupTimeoutMs = 5_000;

export type AuthenticateDeps = AuthenticationDeps &
  BrowserAuthenticationDeps & {
    readonly hosted: Pick<HostedStore, "findBrowserSession">;
    readonly reportAccess: Pick<ReportAccessStore, "findBrowserSession">;
    readonly callSlots: CallSlots;
    readonly monotonic: MonotonicClock;
    readonly clientUses: Pick<ClientUses, "markUsed">;
  };

/**
 * Checks that a call has the scope that its rpc declares. Limit and scope come after the token, so that a refused token costs
 * nobody else anything. Pages use the token of a browser session. A look-up takes one slot, however many calls wait for it.
 */
export function authenticate(deps: AuthenticateDeps): Interceptor {
  const hostedSecrets = { kind: "hostedBrowserSession", find: deps.hosted.findBrowserSession } as const;
  const reportSecrets = { kind: "reportBrowserSession", find: deps.reportAccess.findBrowserSession } as const;
  return (call) => {
    const { scope, origin, head } = call;
    if (scope === "none" || (scope === "gateway" && origin.isTrusted)) return;
    const token = parseBearerToken(head.header(headerNames.authorization));
    if (scope === "hosted") return authenticateBrowser(deps, call, token, hostedSecrets);
    if (scope === "report") return authenticateBrowser(deps, call, token, reportSecrets);
    const owner = token === undefined ? undefined : deps.resolver.findCached(token);
    if (owner !== undefined) return acceptOwner(deps, call, owner);
    return authenticateUncached(deps, call, token);
  };
}

/** Lets an operator call for the named partner: whoever has access to the database may do anything with it. */
export function authenticateOperator(deps: AuthenticateDeps): Interceptor {
  return (call) => {
    const partnerText = call.head.header(headerNames.partnerId);
    if (partnerText === undefined) return;
    const caller = toCaller(partnerText, operatorClientId);
    return acceptForPartner(deps, call, { caller, clientId: operatorClientId, scopes: new Set(scopes) }, partnerText);
  };
}

async function authenticateUncached(deps: AuthenticateDeps, call: PipelineCall, token: string | undefined) {
  const owner = await findOwner(deps, call, token);
  if (owner === undefined) throw unauthenticatedError(token, call.head.header(headerNames.authorization));
  await acceptOwner(deps, call, owner);
}

type LookUpDeps = Pick<AuthenticateDeps, "resolver" | "limits" | "callSlots" | "monotonic">;

function findOwner(deps: LookUpDeps, { origin: { address } }: PipelineCall, token: string | undefined) {
  const caller = deps.limits.unauthenticatedCallers.toCaller(address, token);
  return findTokenOwner(deps, token, address, (lookUp) => runInSlot(deps, caller, lookUp));
}

/** Looks something up in a slot of its sender. */
async function runInSlot<T>(
  { callSlots, monotonic }: Pick<AuthenticateDeps, "callSlots" | "monotonic">,
  caller: Caller,
  lookUp: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  using deadline = new CallDeadline(monotonic(), lookupTimeoutMs);
  return await callSlots.running.run(caller, deadline.signal, () => lookUp(deadline));
}

async function authenticateBrowser<L extends Link>(
  deps: AuthenticateDeps,
  call: PipelineCall,
  token: string | undefined,
  secrets: PersonSecrets<L>,
): Promise<void> {
  const { address } = call.origin;
  const caller = deps.limits.unauthenticatedCallers.toCaller(address, token);
  const browserSession = await resolveBrowserSession(deps, secrets, { token, address }, (lookUp) =>
    runInSlot(deps, caller, lookUp),
  );
  call.browserSession = browserSession;
  call.caller = toCaller(browserSession.partnerId, browserSession.sessionId);
}

function acceptOwner(deps: AuthenticateDeps, call: PipelineCall, owner: TokenOwner): void | Promise<void> {
  const { scope, origin, head } = call;
  call.caller = owner.caller;
  head.context.caller = owner.caller;
  deps.clientUses.markUsed(owner.clientId);
  if (!origin.isTrusted) head.context.quota = countRequest(deps, owner);
  const ownScopes: ReadonlySet<string> = owner.scopes;
  if (!ownScopes.has(scope)) throw missingScopeError(scope);
  const partnerText = head.header(headerNames.partnerId);
  if (partnerText !== undefined) return acceptForPartner(deps, call, owner, partnerText);
  setPrincipal(call, owner);
}

async function acceptForPartner(
  deps: AuthenticateDeps,
  call: PipelineCall,
  owner: Omit<Principal, "partnerId">,
  partnerText: string,
): Promise<void> {
  const principal = await runInSlot(deps, owner.caller, (deadline) => actAsPartner(deps, owner, partnerText, deadline));
  setPrincipal(call, principal);
}

function setPrincipal(call: PipelineCall, principal: Principal): void {
  call.principal = principal;
  if (isTestTwin(principal.partnerId)) call.head.context.isTestData = true;
}

/**
 * Takes the caller's address and request id from a gateway, which has counted the request. A gateway token that is refused
 * has its own reason, so that the gateway knows that its caller is not to blame.
 */
export function resolveGateway(deps: LookUpDeps): Interceptor {
  return (call) => {
    const token = parseBearerToken(call.head.header(headerNames.gatewayAuthorization));
    if (token === undefined) return;
    const owner = deps.resolver.findCached(token);
    if (owner !== undefined) return acceptGateway(call, owner);
    return findOwner(deps, call, token).then((gateway) => acceptGateway(call, gateway));
  };
}

function acceptGateway(call: PipelineCall, gateway: TokenOwner | undefined): void {
  if (!gateway?.scopes.has("gateway")) {
    throw new Refusal("gateway_unauthenticated", "The gateway's own token is unknown, expired or lacks its scope.");
  }
  const { head, origin } = call;
  call.origin = {
    transport: head.header(headerNames.callerTransport) === "web" ? "web" : "rest",
    address: head.header(headerNames.callerAddress) ?? origin.address,
    requestId: toRequestId(head.header(headerNames.requestId)),
    traceparent: parseTraceparent(head.header(headerNames.traceparent)),
    isTrusted: true,
  };
}
