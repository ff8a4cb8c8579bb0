// Secrets of webhook endpoints at rest: AES-256-GCM under a key of the operator.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import type { RandomBytes } from "../../kernel/environment.ts";
import { computeKeyId } from "../identifiers.ts";
import { type ObjectOf, plain, uuid } from "../stored-fields.ts";

const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export const secretFields = {
  id: uuid,
  endpointId: uuid,
  /** That of the key that seals it. */
  keyId: plain<Uint8Array>(),
  /** Nonce, ciphertext and tag. */
  sealed: plain<Uint8Array>(),
  createdAt: plain<Date>(),
};

/** A secret as it is stored. */
export interface SealedSecret extends ObjectOf<typeof secretFields> {}

/** The keys of webhook secrets: the first seals, all open. */
export class SecretSealer {
  readonly #keys: readonly { readonly id: Buffer; readonly key: KeyObject }[];
  readonly #random: RandomBytes;

  /** @param keys of 32 bytes each; none: webhooks are off */
  constructor(keys: readonly Uint8Array[], random: RandomBytes) {
    this.#keys = keys.map((key) => ({
      id: computeKeyId(key),
      key: createSecretKey(key),
    }));
    this.#random = random;
  }

  get isOn(): boolean {
    return this.#keys.length > 0;
  }

  /** 32 random bytes. */
  drawSecret(): Uint8Array {
    return Uint8Array.from(this.#random(secretBytes));
  }

  /** Seals a secret, bound to its endpoint and id, so that it cannot be opened as another one. */
  seal(secret: Uint8Array, place: Pick<SealedSecret, "id" | "endpointId">): Pick<SealedSecret, "keyId" | "sealed"> {
    const [first] = this.#keys;
    if (first === undefined) throw new Error("there is no key to seal webhook secrets with");
    const nonce = Uint8Array.from(this.#random(nonceBytes));
    const cipher = createCipheriv("aes-256-gcm", first.key, nonce).setAAD(toPlaceBytes(place));
    const bytes = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return { keyId: first.id, sealed: bytes };
  }

  /** The secret; undefined if no key opens it there. */
  open({ keyId, sealed: bytes, ...place }: SealedSecret): Uint8Array | undefined {
    const key = this.#keys.find(({ id }) => id.equals(keyId))?.key;
    if (key === undefined || bytes.length !== nonceBytes + secretBytes + tagBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes)).setAAD(toPlaceBytes(place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    } catch {
      // Tampered with, or moved to another place.
      return undefined;
    }
  }

  /** The secrets that one of the keys opens, to sign with. */
  openAll(sealedSecrets: readonly SealedSecret[]): KeyObject[] {
    return sealedSecrets.flatMap((each) => {
      const secret = this.open(each);
      return secret === undefined ? [] : createSecretKey(secret);
    });
  }

  /** Whether it is sealed with the first key. */
  isCurrent({ keyId }: Pick<SealedSecret, "keyId">): boolean {
    return this.#keys[0]?.id.equals(keyId) ?? false;
  }
}

/** The secret as receivers configure it. */
export function formatSecret(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString("base64")}`;
}

function toPlaceBytes({ endpointId, id }: Pick<SealedSecret, "id" | "endpointId">): Buffer {
  return Buffer.from(`${endpointId} ${id}`);
}
