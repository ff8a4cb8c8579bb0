// Access tokens by client credentials (RFC 6749 section 4.4): issued, revoked, and resolved to who calls.
import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { parseUuid } from "../../domain/identifiers.ts";
import { isScope, type Scope } from "../../domain/identity/scopes.ts";
import { hashSecret, isWellFormedSecret, newSecret } from "../../domain/identity/secrets.ts";
import type { Clock, Deadline, MonotonicClock, RandomBytes } from "../../kernel/environment.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { type Caller, callerOf } from "../../kernel/limits/caller.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import type { Client, IdentityStore } from "../../store/identity/identity-store.ts";
import type { ClientUses } from "./client-uses.ts";

export const tokenLifetimeSeconds = 3600;
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

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TokenDeps {
  readonly identities: IdentityStore;
  readonly clientUses: Pick<ClientUses, "note">;
  readonly resolver: TokenResolver;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Issues a token.
 * @param scopes those to give it; empty for all of the client
 * Throws `unauthenticated`, `invalid_request` (a scope that the client has not).
 */
export async function issueToken(
  deps: TokenDeps,
  credentials: Credentials,
  scopes: readonly string[],
  deadline: Deadline,
): Promise<{ accessToken: string; scopes: readonly Scope[] }> {
  const client = await authenticateClient(deps.identities, credentials, deadline);
  deps.clientUses.note(client.id);
  const granted = scopes.length === 0 ? client.scopes : grantedScopes(scopes, client);
  const accessToken = newSecret("accessToken", deps.random, isTestTwin(client.partnerId));
  const expiresAt = new Date(deps.clock() + tokenLifetimeSeconds * 1000);
  const token = { hash: hashSecret(accessToken), clientId: client.id, scopes: granted, expiresAt };
  await deps.identities.insertToken(token, deadline.signal);
  return { accessToken, scopes: granted };
}

/** Ends a token of the client; one that is unknown or another client's is left alone. Throws `unauthenticated`. */
export async function revokeToken(
  deps: TokenDeps,
  credentials: Credentials,
  token: string,
  deadline: Deadline,
): Promise<void> {
  const client = await authenticateClient(deps.identities, credentials, deadline);
  if (!isWellFormedSecret("accessToken", token)) return;
  await deps.identities.deleteToken(hashSecret(token), client.id, deadline.signal);
  deps.resolver.forget(token);
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

async function authenticateClient(
  identities: IdentityStore,
  { clientId, clientSecret }: Credentials,
  { signal }: Deadline,
): Promise<Client> {
  const id = parseUuid(clientId);
  if (id !== undefined && isWellFormedSecret("clientSecret", clientSecret)) {
    const client = await identities.findClient(id, signal);
    const given = hashSecret(clientSecret);
    const secrets = client === undefined ? [] : await identities.listClientSecrets(client.id, signal);
    // Every secret is compared, so that the time taken tells nothing of which one matched.
    const matches = secrets.filter((secret) => timingSafeEqual(secret.hash, given)).length;
    if (client !== undefined && matches > 0 && client.disabledAt === null) return client;
  }
  throw new Refusal("unauthenticated", "The client is unknown, disabled, or its secret is wrong.");
}

function grantedScopes(requested: readonly string[], client: Client): Scope[] {
  const granted = requested.filter(isScope).filter((scope) => client.scopes.includes(scope));
  if (granted.length < requested.length) {
    const detail = "The client may not have one of these scopes.";
    throw invalidRequest([{ path: ["scopes"], code: "invalid_scope", detail }]);
  }
  return [...new Set(granted)];
}
