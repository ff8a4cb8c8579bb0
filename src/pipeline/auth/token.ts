// Access tokens: whose they are, what their owners may still call, and which clients called recently.
import { LRUCache } from "lru-cache";
import { hashSecret, isWellFormedSecret } from "../../domain/identity/secrets.ts";
import { type QuotaState, toCaller } from "../../kernel/calls/core.ts";
import type { Clock, Deadline, MonotonicClock } from "../../kernel/environment.ts";
import { notFoundError, Refusal } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { RateLimit } from "../../limits/rate-limit.ts";
import type { IdentityStore } from "../../store/identity/identity-store.ts";
import type { Principal } from "../call.ts";
import type { UnauthenticatedLimit } from "../limits/unauthenticated-limit.ts";

export interface RateLimits {
  /** By partner, with its test twin. */
  readonly partners: RateLimit;
  /** By client id. */
  readonly clients: RateLimit;
  readonly unauthenticatedCallers: UnauthenticatedLimit;
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

/** Finds the owner of a token, in a slot; undefined for other texts. Made-up ones count against the address. Throws `rate_limited`. */
export async function findTokenOwner(
  { resolver, limits: { unauthenticatedCallers } }: Pick<AuthenticationDeps, "resolver" | "limits">,
  token: string | undefined,
  address: string,
  inSlot: RunInSlot,
): Promise<TokenOwner | undefined> {
  if (token === undefined || unauthenticatedCallers.countIfMadeUp(address, "accessToken", token)) return undefined;
  const owner = await resolver.resolve(token, inSlot);
  if (owner !== undefined) unauthenticatedCallers.markValid(token);
  return owner;
}

/** Counts a request, unless the limit of client or partner is exhausted. Throws `rate_limited`. @returns what remains */
export function countRequest(
  { limits }: { readonly limits: Pick<RateLimits, "partners" | "clients"> },
  { caller: { partner, client } }: Pick<TokenOwner, "caller">,
): QuotaState | undefined {
  const clientQuota = limits.partners.isExhausted(partner) ? undefined : limits.clients.consume(client);
  const partnerQuota = limits.partners.consume(partner);
  if (clientQuota === undefined || partnerQuota === undefined) return undefined;
  return { ...clientQuota, remaining: Math.min(clientQuota.remaining, partnerQuota.remaining) };
}

/** The principal acting for the partner that the call names. Throws `permission_denied` and `not_found`. */
export async function actAsPartner(
  deps: Pick<AuthenticationDeps, "identities">,
  { caller, clientId, scopes }: Omit<Principal, "partnerId">,
  partnerText: string,
  { signal }: Deadline,
): Promise<Principal> {
  if (!scopes.has("partners:act-as")) {
    throw new Refusal("permission_denied", "The access token does not allow acting for a partner.", {
      metadata: { scope: "partners:act-as" },
    });
  }
  const id = parseUuid(partnerText);
  const partner = id === undefined ? undefined : await deps.identities.findPartner(id, signal);
  if (partner === undefined) throw notFoundError();
  return { caller, clientId, partnerId: partner.id, scopes };
}

/** Also the longest time for which another process still accepts a revoked token. */
const resolvedMaxAgeMs = 30_000;
const maxResolved = 10_000;

/** The client that a token belongs to, for its own partner. */
export interface TokenOwner extends Principal {
  readonly expiresAt: Date;
}

type CachedOwner = TokenOwner | "unknown";

/** Runs work once a slot is free. Rejects if none becomes free. */
export type RunInSlot = <T>(work: (deadline: Deadline) => Promise<T>) => Promise<T>;

/** Finds owners of tokens, each by one query in 30 seconds. Tokens are keys as they are: hashing took longer than the rest. */
export class TokenResolver {
  readonly #clock: Clock;
  readonly #resolved: LRUCache<string, CachedOwner, RunInSlot>;

  constructor(identities: Pick<IdentityStore, "findToken">, clocks: { clock: Clock; monotonic: MonotonicClock }) {
    this.#clock = clocks.clock;
    this.#resolved = new LRUCache({
      max: maxResolved,
      ttl: resolvedMaxAgeMs,
      perf: { now: clocks.monotonic },
      ttlResolution: 0,
      // The 30 seconds count from the start of the look-up, so that the answer is never older.
      noUpdateTTL: true,
      ignoreFetchAbort: true,
      fetchMethod: (token, _stale, { context: inSlot }) =>
        inSlot((deadline) => lookUpOwner(identities, hashSecret(token), deadline)),
    });
  }

  /** The owner of a live token; undefined for any other text. Concurrent calls with a token share one look-up. */
  async resolve(token: string, inSlot: RunInSlot): Promise<TokenOwner | undefined> {
    if (!isWellFormedSecret("accessToken", token)) return undefined;
    // This drops what is over; a look-up in its place would end at the same time.
    const cachedOwner = this.#resolved.get(token);
    return this.#getLive(cachedOwner ?? (await this.#resolved.forceFetch(token, { context: inSlot })));
  }

  /** The owner of a live token, if the cache has it. */
  findCached(token: string): TokenOwner | undefined {
    return this.#getLive(this.#resolved.get(token));
  }

  #getLive(resolution: CachedOwner | undefined): TokenOwner | undefined {
    if (resolution === undefined || resolution === "unknown") return undefined;
    return resolution.expiresAt.getTime() <= this.#clock() ? undefined : resolution;
  }

  /** Makes the next use of the token query the database. */
  forget(token: string): void {
    this.#resolved.delete(token);
  }
}

async function lookUpOwner(
  { findToken }: Pick<IdentityStore, "findToken">,
  hash: Uint8Array,
  { signal }: Deadline,
): Promise<CachedOwner> {
  const match = await findToken(hash, signal);
  if (match === undefined || match.client.disabledAt !== null) return "unknown";
  const { token, client } = match;
  return {
    caller: toCaller(client.partnerId, client.id),
    clientId: client.id,
    partnerId: client.partnerId,
    scopes: new Set(token.scopes),
    expiresAt: token.expiresAt,
  };
}

/** Most clients that are remembered between two writes; others are noted when they call again. */
const maxRemembered = 1_000;

export class ClientUses {
  readonly #identities: Pick<IdentityStore, "saveClientUses">;
  readonly #used = new Set<string>();

  constructor(identities: Pick<IdentityStore, "saveClientUses">) {
    this.#identities = identities;
  }

  /** Marks the client as one that has just called. */
  markUsed(clientId: string): void {
    if (this.#used.size < maxRemembered) this.#used.add(clientId);
  }

  /** Stores who called since the last time, by the database's clock. Failed writes are repeated the next time. */
  async save(signal: AbortSignal): Promise<void> {
    const usedClients = [...this.#used];
    if (usedClients.length === 0) return;
    await this.#identities.saveClientUses(usedClients, signal);
    for (const clientId of usedClients) this.#used.delete(clientId);
  }
}
