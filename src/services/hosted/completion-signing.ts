// The keys of completion tokens: configured, or one that is generated and kept in the database.
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Clock, RandomBytes } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { once } from "../../kernel/once.ts";
import type { Stores } from "../../store/stores.ts";

const tokenLifetimeSeconds = 600;
const readTimeoutMs = 5_000;

/** Imported on first use: the process start loads 46 modules less. */
const importJose = () => import("jose");

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

type SigningKeyDeps = Pick<Stores, "signingKeys"> & { readonly clock: Clock; readonly random: RandomBytes };

export interface PublicKey {
  /** JWK thumbprint (RFC 7638). */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The claims of a completion token. The issuer is the service's public URL; none is personal data. */
type Completion = Readonly<Record<"issuer" | "partnerId" | "sessionId", string>>;

interface OpenedKey extends PublicKey {
  readonly privateKey: KeyObject;
}

/** Signs completion tokens, and publishes the keys that verify them. */
export class CompletionSigner {
  readonly #clock: Clock;
  /** Concurrent callers share one read, so no caller's deadline applies. */
  readonly #getKeys: () => Promise<OpenedKey[]>;

  /** @param configuredKeys Ed25519 private keys, the signing one first; undefined: that of the database */
  constructor(deps: SigningKeyDeps, configuredKeys: readonly KeyObject[] | undefined) {
    this.#clock = deps.clock;
    this.#getKeys = once(async () => Promise.all((configuredKeys ?? [await loadStoredKey(deps)]).map(openKey)));
  }

  /** A completion token (a JWT), valid for 10 minutes. */
  async sign({ issuer, partnerId, sessionId }: Completion): Promise<string> {
    const [key] = await this.#getKeys();
    if (key === undefined) throw new Error("there is always a signing key");
    const { SignJWT } = await importJose();
    const issuedAt = Math.floor(this.#clock() / 1000);
    return new SignJWT({ sessionId, status: "completed" })
      .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: key.keyId })
      .setIssuer(issuer)
      .setAudience(partnerId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + tokenLifetimeSeconds)
      .sign(key.privateKey);
  }

  /** Every key that a valid token can be signed with. */
  async listPublicKeys(): Promise<PublicKey[]> {
    return (await this.#getKeys()).map(({ keyId, publicKey }) => ({ keyId, publicKey }));
  }
}

/** The key of the database; made by the first process that needs it. */
async function loadStoredKey({ signingKeys, random }: SigningKeyDeps): Promise<KeyObject> {
  const signal = AbortSignal.timeout(readTimeoutMs);
  let key = await signingKeys.findSigningKey(signal);
  if (key === undefined) {
    await signingKeys.insertSigningKey(Buffer.concat([pkcs8Prefix, random(32)]), signal);
    key = await signingKeys.findSigningKey(signal);
  }
  if (key === undefined) throw new Refusal("unavailable", "The signing key cannot be read.");
  return createPrivateKey({ key: Buffer.from(key), format: "der", type: "pkcs8" });
}

async function openKey(privateKey: KeyObject): Promise<OpenedKey> {
  const { calculateJwkThumbprint } = await importJose();
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const keyId = await calculateJwkThumbprint({ kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" });
  return { keyId, publicKey: Buffer.from(jwk.x ?? "", "base64url"), privateKey };
}
