// The signing key part of the Store port.

/** A key that completion tokens are signed with. */
export interface SigningKey {
  /** Counted from 1. */
  readonly generation: number;
  /** An Ed25519 private key as PKCS#8 DER. */
  readonly privateKey: Uint8Array;
  /** The key signs from then on, until the next generation does. */
  readonly signsFrom: Date;
}

export interface SigningKeyStore {
  /** All keys, the oldest first. */
  listSigningKeys(signal: AbortSignal): Promise<SigningKey[]>;
  /** Inserts a key, or nothing where its generation is taken. */
  insertSigningKey(key: SigningKey, signal: AbortSignal): Promise<"inserted" | "taken">;
  /** Removes the keys of generations below the given one. */
  deleteSigningKeys(below: number, signal: AbortSignal): Promise<void>;
}
