// The keys of completion tokens: configured, or generated and kept in the database; rotated without a gap.
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { SigningKey } from "../../store/hosted/signing-key-store.ts";
import type { Needs } from "../dependencies.ts";

const hourMs = 60 * 60 * 1000;
/** A new key is published for this long before it signs, so that every cached copy of the keys has it. */
const publishedAheadMs = hourMs;
/** How long a process caches the keys. */
const keysMaxAgeMs = 59_000;
const tokenLifetimeSeconds = 600;
const readTimeoutMs = 5_000;

/** Imported on first use: the process start loads 46 modules less. */
const tokens = () => import("jose");

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

type SigningKeyDeps = Needs<"signingKeys" | "clock" | "random">;

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

interface OpenedKey extends PublicKey {
  readonly privateKey: KeyObject;
  readonly signsFrom: Date;
}

/** Signs completion tokens, and publishes the keys that verify them. */
export class CompletionSigner {
  readonly #clock: Clock;
  /** Concurrent callers share one read, so no caller's deadline applies. Decoding a key takes half a millisecond. */
  readonly #keys: LRUCache<"keys", OpenedKey[]>;

  /** @param configured Ed25519 private keys, the signing one first; undefined: those of the database */
  constructor(deps: SigningKeyDeps & Needs<"monotonic">, configured: readonly KeyObject[] | undefined) {
    this.#clock = deps.clock;
    this.#keys = new LRUCache({
      max: 1,
      ttl: keysMaxAgeMs,
      perf: { now: deps.monotonic },
      ttlResolution: 0,
      fetchMethod: async () => {
        if (configured !== undefined) return Promise.all(configured.map((key) => open(key, new Date(0))).toReversed());
        const keys = await storedKeys(deps, { signal: AbortSignal.timeout(readTimeoutMs) });
        return Promise.all(keys.map(({ privateKey, signsFrom }) => open(decode(privateKey), signsFrom)));
      },
    });
  }

  /** A completion token (a JWT), valid for 10 minutes. */
  async sign({ issuer, partnerId, sessionId }: Completion): Promise<string> {
    const keys = await this.#keys.forceFetch("keys");
    const { privateKey, keyId } = keys[signingIndex(keys, this.#clock())] ?? noKey();
    const { SignJWT } = await tokens();
    const issuedAt = Math.floor(this.#clock() / 1000);
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
    const keys = await this.#keys.forceFetch("keys");
    return keys.map(({ keyId, publicKey }) => ({ keyId, publicKey }));
  }
}

/**
 * Makes a new key. It is published at once and signs an hour later. The key that signs until then, and the one before it,
 * stay published until the next rotation.
 * @param isUrgent for a compromised key: the new one signs within a minute, and all others are removed
 * @returns the id of the new key and when it signs
 */
export async function rotateSigningKey(deps: SigningKeyDeps, isUrgent: boolean, deadline: Deadline) {
  const now = deps.clock();
  for (;;) {
    const keys = await storedKeys(deps, deadline);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    const key = newKey(deps, generation, new Date(isUrgent ? now : now + publishedAheadMs));
    if (!(await deps.signingKeys.insertSigningKey(key, deadline.signal))) continue;
    const oldest = isUrgent ? key : keys[signingIndex(keys, now) - 1];
    if (oldest !== undefined) await deps.signingKeys.deleteSigningKeys(oldest.generation, deadline.signal);
    return { keyId: (await open(decode(key.privateKey), key.signsFrom)).keyId, signsFrom: key.signsFrom };
  }
}

/** The index of the key that signs at a time. The first one may have been made by a process whose clock is ahead. */
function signingIndex(keys: readonly Pick<SigningKey, "signsFrom">[], now: number): number {
  return Math.max(
    0,
    keys.findLastIndex(({ signsFrom }) => signsFrom.getTime() <= now),
  );
}

function noKey(): never {
  throw new Error("there is always a signing key");
}

/** The keys of the database; creates the first one if there is none. */
async function storedKeys(deps: SigningKeyDeps, { signal }: Pick<Deadline, "signal">): Promise<readonly SigningKey[]> {
  const keys = await deps.signingKeys.listSigningKeys(signal);
  if (keys.length > 0) return keys;
  await deps.signingKeys.insertSigningKey(newKey(deps, 1, new Date(deps.clock())), signal);
  const newKeys = await deps.signingKeys.listSigningKeys(signal);
  if (newKeys.length === 0) throw new Refusal("unavailable", "The signing key cannot be read.");
  return newKeys;
}

function newKey({ random }: SigningKeyDeps, generation: number, signsFrom: Date): SigningKey {
  return { generation, privateKey: Buffer.concat([pkcs8Prefix, random(32)]), signsFrom };
}

function decode(privateKey: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
}

async function open(privateKey: KeyObject, signsFrom: Date): Promise<OpenedKey> {
  const { calculateJwkThumbprint } = await tokens();
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const keyId = await calculateJwkThumbprint({ kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" });
  return { keyId, publicKey: Buffer.from(jwk.x ?? "", "base64url"), privateKey, signsFrom };
}
