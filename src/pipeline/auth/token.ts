// Who calls: the one place where a bearer token becomes a principal, for the pipeline and for Introspect alike.

import { parseUuid } from "../../domain/identifiers.ts";
import type { QuotaState } from "../../kernel/calls/core.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details, specificDetails } from "../../kernel/errors/details.ts";
import { notFound, Refusal } from "../../kernel/errors/refusal.ts";
import type { RateLimit } from "../../kernel/limits/rate-limit.ts";
import type { IdentityStore } from "../../store/identity/identity-store.ts";
import type { Principal } from "../call.ts";
import type { StrangerLimit } from "../limits/stranger-limit.ts";
import type { InSlot, TokenOwner, TokenResolver } from "./token-resolver.ts";

export interface RateLimits {
  /** By partner, with its test twin. */
  readonly partners: RateLimit;
  /** By client id. */
  readonly clients: RateLimit;
  readonly strangers: StrangerLimit;
  /** By client id and network. */
  readonly tokenRequests: RateLimit;
  /** By hosted session. */
  readonly hostedSessions: RateLimit;
}

export interface AuthenticationDeps {
  readonly resolver: TokenResolver;
  readonly identities: Pick<IdentityStore, "findPartner">;
  readonly limits: RateLimits;
}

export interface Credential {
  readonly token: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

/**
 * Resolves a token. A token that was good before is never refused for its address. Any other one is refused before it is
 * looked at if its network had too many tokens refused.
 * Throws `unauthenticated`, `rate_limited`.
 * @param inSlot does the look-up when there is room for it
 */
export async function resolveToken(
  deps: AuthenticationDeps,
  { token, address }: Credential,
  inSlot?: InSlot,
): Promise<TokenOwner> {
  const known = token === undefined ? undefined : deps.resolver.known(token);
  if (known !== undefined) return known;
  const { strangers } = deps.limits;
  strangers.check(address, token);
  const owner = token === undefined ? undefined : await deps.resolver.resolve(token, inSlot);
  if (owner !== undefined && token !== undefined) {
    strangers.prove(token);
    return owner;
  }
  strangers.refuse(address, token);
  throw unauthenticated(token);
}

function unauthenticated(token: string | undefined): Refusal {
  return token === undefined
    ? new Refusal("unauthenticated", specificDetails.noToken, { facts: { token: "missing" } })
    : new Refusal("unauthenticated", details.unauthenticated);
}

/** Counts a request of the client and its partner. Throws `rate_limited`. @returns what the client may still send */
export function countRequest(
  { limits }: Pick<AuthenticationDeps, "limits">,
  owner: TokenOwner,
): QuotaState | undefined {
  const { partner, client } = owner.caller;
  const own = limits.clients.consume(client);
  const shared = limits.partners.consume(partner);
  return own && shared && { ...own, remaining: Math.min(own.remaining, shared.remaining) };
}

/**
 * The caller as the implementation sees it, acting for the partner it names.
 * Throws `permission_denied` without the scope `partners:act-as`, `not_found` for an unknown partner.
 */
export async function actFor(
  deps: Pick<AuthenticationDeps, "identities">,
  { caller, clientId, scopes }: Omit<Principal, "partnerId">,
  named: string,
  { signal }: Deadline,
): Promise<Principal> {
  if (!scopes.has("partners:act-as")) {
    throw new Refusal("permission_denied", "The access token does not allow acting for a partner.", {
      facts: { scope: "partners:act-as" },
    });
  }
  const id = parseUuid(named);
  const partner = id === undefined ? undefined : await deps.identities.findPartner(id, signal);
  if (partner === undefined) throw notFound();
  return { caller, clientId, partnerId: partner.id, scopes };
}
