// Who calls: the one place where a bearer token becomes a principal, for the pipeline and for Introspect alike; whose a token
// is, asked once in half a minute; and which clients called of late.
import { LRUCache } from "lru-cache";
import { parseUuid } from "../../domain/identifiers.ts";
import type { Scope } from "../../domain/identity/scopes.ts";
import { hashSecret, isWellFormedSecret } from "../../domain/identity/secrets.ts";
import type { QuotaState } from "../../kernel/calls/core.ts";
import type { Clock, Deadline, MonotonicClock, Paging } from "../../kernel/environment.ts";
import { notFound, Refusal, unauthenticated } from "../../kernel/errors/refusal.ts";
import { type Caller, callerOf } from "../../kernel/limits/caller.ts";
import type { RateLimit } from "../../kernel/limits/rate-limit.ts";
import type { IdentityStore } from "../../store/identity/identity-store.ts";
import type { Principal } from "../call.ts";
import type { StrangerLimit } from "../limits/stranger-limit.ts";

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

/** Also the longest time for which another process goes on taking a revoked token. */
const resolvedMaxAgeMs = 30_000;
const maxResolved = 10_000;
const maxScopeSets = 256;
const lookupTimeoutMs = 5_000;

/** Who calls, and what the token allows. */
export interface TokenOwner {
  /** As whom limits count it. */
  readonly caller: Caller;
  readonly clientId: string;
  /** The client's own partner. */
  readonly partnerId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date;
}

type Resolution = TokenOwner | "unknown";

/** Does work when there is room for it. Rejects if there is none. */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Finds out who a token belongs to, asking the database once in 30 seconds at most. What was found is kept by the token
 * itself: it is in memory with every request anyway, and hashing it three times for each took longer than all else here.
 */
export class TokenResolver {
  readonly #identities: Pick<IdentityStore, "findToken">;
  readonly #clock: Clock;
  /** A promise stands in for what is being looked up, and goes when that is known: it takes more memory. */
  readonly #resolved: LRUCache<string, Resolution | Promise<Resolution>>;
  readonly #scopeSets = new LRUCache<string, ReadonlySet<Scope>>({ max: maxScopeSets });

  constructor(identities: Pick<IdentityStore, "findToken">, clocks: { clock: Clock; monotonic: MonotonicClock }) {
    this.#identities = identities;
    this.#clock = clocks.clock;
    const perf = { now: clocks.monotonic };
    this.#resolved = new LRUCache({ max: maxResolved, ttl: resolvedMaxAgeMs, perf, ttlResolution: 0 });
  }

  /**
   * The owner of a live token; undefined for any other text. Whoever sends a token that is being looked up waits for
   * that, and fails with it: a busy client sends hundreds of calls in the moment in which its token has to be looked up.
   * @param inSlot does the look-up when there is room for it
   */
  async resolve(token: string, inSlot: InSlot = (lookUp) => lookUp()): Promise<TokenOwner | undefined> {
    const resolved = this.#resolved.get(token) ?? this.#load(token, inSlot);
    return resolved === undefined ? undefined : this.#living(await resolved);
  }

  /** The owner of a live token, as far as that is known without asking the database. */
  known(token: string): TokenOwner | undefined {
    const resolved = this.#resolved.get(token);
    return resolved === undefined || resolved instanceof Promise ? undefined : this.#living(resolved);
  }

  /** Whether the text was looked up in the last 30 seconds, or is being looked up, whatever comes of it. */
  has(token: string): boolean {
    return this.#resolved.has(token);
  }

  #living(resolved: Resolution): TokenOwner | undefined {
    return resolved === "unknown" || resolved.expiresAt.getTime() <= this.#clock() ? undefined : resolved;
  }

  /** Makes the next use of the token ask the database. */
  forget(token: string): void {
    this.#resolved.delete(token);
  }

  #load(token: string, inSlot: InSlot): Promise<Resolution> | undefined {
    if (!isWellFormedSecret("accessToken", token)) return undefined;
    const finding = inSlot(() => this.#find(hashSecret(token)));
    this.#resolved.set(token, finding);
    const isCurrent = () => this.#resolved.peek(token) === finding;
    finding.then(
      // The look-up began when the entry was made, and so did its time.
      (found) => isCurrent() && this.#resolved.set(token, found, { noUpdateTTL: true }),
      () => isCurrent() && this.#resolved.delete(token),
    );
    return finding;
  }

  /** There are few sets of scopes, and many tokens. */
  #scopesOf(scopes: readonly Scope[]): ReadonlySet<Scope> {
    const key = scopes.join(" ");
    const known = this.#scopeSets.get(key) ?? new Set(scopes);
    this.#scopeSets.set(key, known);
    return known;
  }

  async #find(hash: Uint8Array): Promise<Resolution> {
    // A signal with a time of its own would live for all of it, and there is one for each token.
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), lookupTimeoutMs);
    const found = await this.#identities.findToken(hash, time.signal).finally(() => clearTimeout(timer));
    if (found === undefined || found.client.disabledAt !== null) return "unknown";
    const { token, client } = found;
    return {
      caller: callerOf(client.partnerId, client.id),
      clientId: client.id,
      partnerId: client.partnerId,
      scopes: this.#scopesOf(token.scopes),
      expiresAt: token.expiresAt,
    };
  }
}

/** Clients that are remembered; more than that are noted when they call again. */
const maxRemembered = 10_000;
/** Clients that one statement names. */
const batch = 500;

export class ClientUses {
  readonly #identities: Pick<IdentityStore, "saveClientUses">;
  readonly #mostAtOnce: number;
  #used = new Set<string>();

  constructor(identities: Pick<IdentityStore, "saveClientUses">, { mostAtOnce = batch }: Paging = {}) {
    this.#identities = identities;
    this.#mostAtOnce = mostAtOnce;
  }

  /** Remembers that the client has just called. */
  note(clientId: string): void {
    if (this.#used.size < maxRemembered) this.#used.add(clientId);
  }

  /** Writes down who called since the last time, by the database's clock. What fails is written down the next time. */
  async save(signal: AbortSignal): Promise<void> {
    const used = [...this.#used];
    this.#used = new Set();
    for (let begin = 0; begin < used.length; begin += this.#mostAtOnce) {
      try {
        await this.#identities.saveClientUses(used.slice(begin, begin + this.#mostAtOnce), signal);
      } catch (error) {
        for (const clientId of used.slice(begin)) this.note(clientId);
        throw error;
      }
    }
  }
}
