// Who calls: the one place where a bearer token becomes a principal, for the pipeline and for Introspect alike.
import type { Deadline } from "../../domain/environment.ts";
import { DomainError, notFound } from "../../domain/errors.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import type { TokenOwner, TokenResolver } from "../../domain/identity/tokens.ts";
import type { IdentityStore } from "../../domain/ports/identities.ts";
import { networkOf } from "../limits/network.ts";
import type { QuotaState, RateLimits } from "../limits/rate-limits.ts";
import type { Principal } from "../pipeline/implementation.ts";

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
 * Resolves a token. An address that had too many tokens refused is refused before its token is looked at.
 * Throws `unauthenticated`, `rate_limited`.
 */
export async function resolveToken(deps: AuthenticationDeps, { token, address }: Credential): Promise<TokenOwner> {
  const network = networkOf(address);
  deps.limits.addresses.check(network);
  const owner = token === undefined ? undefined : await deps.resolver.resolve(token);
  if (owner !== undefined) return owner;
  deps.limits.addresses.consume(network);
  throw new DomainError(
    "unauthenticated",
    token === undefined ? "No access token was sent." : "The access token is unknown, expired or revoked.",
  );
}

/** Counts a request of the client. Throws `rate_limited`. */
export function countRequest(deps: AuthenticationDeps, owner: TokenOwner): QuotaState | undefined {
  return deps.limits.clients.consume(owner.clientId);
}

/**
 * The caller as the implementation sees it, acting for its own partner or for the one it names.
 * Throws `permission_denied` without the scope `partners:act-as`, `not_found` for an unknown partner.
 */
export async function actFor(
  deps: AuthenticationDeps,
  owner: TokenOwner,
  named: string | undefined,
  { signal }: Deadline,
): Promise<Principal> {
  const { clientId, scopes } = owner;
  if (named === undefined) return { clientId, partnerId: owner.partnerId, scopes };
  if (!scopes.has("partners:act-as")) {
    throw new DomainError("permission_denied", "The access token does not allow acting for a partner.", {
      facts: { scope: "partners:act-as" },
    });
  }
  const id = parseUuid(named);
  const partner = id === undefined ? undefined : await deps.identities.findPartner(id, signal);
  if (partner === undefined) throw notFound();
  return { clientId, partnerId: partner.id, scopes };
}
