// The keys of completion tokens: configured, or generated and kept in the database; rotated without a gap.
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type TrustedClock, timeIfTrusted } from "../../domain/trusted-clock.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { once } from "../../kernel/once.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { SigningKey } from "../../store/hosted/signing-key-store.ts";
import type { Needs } from "../dependencies.ts";

const hourMs = 60 * 60 * 1000;
/** A new key is published for this long before it signs, so that every cached copy of the keys has it. */
const publishedAheadMs = hourMs;
/** A key stays published for this long after its last signature: far longer than the lifetime of a token. */
const publishedAfterMs = dayMs;
/** How long a process caches the keys. */
const keysMaxAgeMs = 59_000;
const tokenLifetimeSeconds = 600;
const readTimeoutMs = 5_000;

/** Imported on first use: the process start loads 46 modules less. */
const tokens = () => import("jose");

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export type SigningKeyDeps = Needs<"signingKeys" | "clock" | "random">;

type SignerDeps = SigningKeyDeps & Needs<"monotonic">;

export interface PublicKey {
  /** JWK thumbprint (RFC 7638). */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The claims of a completion token. None of them is personal data. */
export interface Completion {
  /** The service's public URL. */
  readonly issuer: string;
  readonly partnerId: string;
  readonly sessionId: string;
}

interface UsableKey extends PublicKey {
  readonly privateKey: KeyObject;
}

/** A stored key, decoded. */
interface OpenedKey extends UsableKey {
  readonly signsFrom: Date;
}

/** Signs completion tokens, and publishes the keys that verify them. */
export class CompletionSigner {
  readonly #deps: SignerDeps;
  readonly #configured: (() => Promise<readonly UsableKey[]>) | undefined;
  /** Concurrent callers share one read, so no caller's deadline applies. Decoding a key takes half a millisecond. */
  readonly #stored: LRUCache<"keys", OpenedKey[]>;

  /** @param configured Ed25519 private keys, the signing one first; undefined: those of the database */
  constructor(deps: SignerDeps, configured: readonly KeyObject[] | undefined) {
    this.#deps = deps;
    this.#configured = configured && once(() => Promise.all(configured.map(toUsableKey)));
    this.#stored = new LRUCache({
      ...{ max: 1, ttl: keysMaxAgeMs, perf: { now: deps.monotonic }, ttlResolution: 0 },
      fetchMethod: async () => {
        const keys = await storedKeys(deps, { signal: AbortSignal.timeout(readTimeoutMs) });
        return Promise.all(keys.map(async (key) => ({ ...(await open(key)), signsFrom: key.signsFrom })));
      },
    });
  }

  /** A completion token (a JWT), valid for 10 minutes. */
  async sign({ issuer, partnerId, sessionId }: Completion): Promise<string> {
    const { privateKey, keyId } = await this.#signingKey();
    const { SignJWT } = await tokens();
    const issuedAt = Math.floor(this.#deps.clock() / 1000);
    return new SignJWT({ sessionId, status: "completed" })
      .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: keyId })
      .setIssuer(issuer)
      .setAudience(partnerId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + tokenLifetimeSeconds)
      .sign(privateKey);
  }

  /** Every key that a valid token can be signed with, and the one that will sign next. */
  async publicKeys(): Promise<PublicKey[]> {
    const keys = (await this.#configured?.()) ?? published(await this.#stored.forceFetch("keys"), this.#deps.clock());
    return keys.map(({ keyId, publicKey }) => ({ keyId, publicKey }));
  }

  async #signingKey(): Promise<UsableKey> {
    if (this.#configured !== undefined) {
      const [first] = await this.#configured();
      if (first !== undefined) return first;
    }
    const keys = await this.#stored.forceFetch("keys");
    const now = this.#deps.clock();
    // The first key may have been made by a process whose clock is ahead.
    const current = keys.findLast(({ signsFrom }) => signsFrom.getTime() <= now) ?? keys[0];
    if (current === undefined) throw new Error("there is always a signing key");
    return current;
  }
}

/**
 * Makes a new key. It is published at once and signs an hour later; the previous key stays published for another day, or
 * longer while the clock is in doubt.
 * @param isUrgent for a compromised key: the new one signs within a minute, and all others are removed
 * @returns the id of the new key and when it signs
 */
export async function rotateSigningKey(
  deps: SigningKeyDeps & { readonly trustedClock: TrustedClock },
  isUrgent: boolean,
  deadline: Deadline,
): Promise<{ keyId: string; signsFrom: Date }> {
  const now = deps.clock();
  for (;;) {
    const keys = await storedKeys(deps, deadline);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    const key = newKey(deps, generation, new Date(isUrgent ? now : now + publishedAheadMs));
    if ((await deps.signingKeys.insertSigningKey(key, deadline.signal)) === "taken") continue;
    const trusted = timeIfTrusted(deps.trustedClock);
    const kept = trusted === null ? keys : published([...keys, key], trusted.getTime());
    const [oldest = key] = isUrgent ? [key] : kept;
    await deps.signingKeys.deleteSigningKeys(oldest.generation, deadline.signal);
    return { keyId: (await open(key)).keyId, signsFrom: key.signsFrom };
  }
}

/** The keys of the database; creates the first one if there is none. */
async function storedKeys(deps: SigningKeyDeps, { signal }: Pick<Deadline, "signal">): Promise<readonly SigningKey[]> {
  const keys = await deps.signingKeys.listSigningKeys(signal);
  if (keys.length > 0) return keys;
  await deps.signingKeys.insertSigningKey(newKey(deps, 1, new Date(deps.clock())), signal);
  const made = await deps.signingKeys.listSigningKeys(signal);
  if (made.length === 0) throw new Refusal("unavailable", "The signing key cannot be read.");
  return made;
}

function newKey({ random }: SigningKeyDeps, generation: number, signsFrom: Date): SigningKey {
  return { generation, privateKey: Buffer.concat([pkcs8Prefix, random(32)]), signsFrom };
}

/** The keys whose successor has not yet signed for as long as keys stay published. */
function published<K extends Pick<SigningKey, "signsFrom">>(keys: readonly K[], now: number): readonly K[] {
  return keys.filter((_, index) => {
    const successor = keys[index + 1];
    return successor === undefined || successor.signsFrom.getTime() + publishedAfterMs > now;
  });
}

function open({ privateKey }: SigningKey): Promise<UsableKey> {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  return toUsableKey(key);
}

async function toUsableKey(privateKey: KeyObject): Promise<UsableKey> {
  const { calculateJwkThumbprint } = await tokens();
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const keyId = await calculateJwkThumbprint({ kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" });
  return { keyId, publicKey: Buffer.from(jwk.x ?? "", "base64url"), privateKey };
}
