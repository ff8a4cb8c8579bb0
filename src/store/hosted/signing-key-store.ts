// The keys of completion tokens, in MySQL.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { fetchRows, fromRow, sql, write } from "../../database/statement.ts";

/** A key that completion tokens are signed with. */
export interface SigningKey {
  /** Counted from 1. */
  readonly generation: number;
  /** An Ed25519 private key as PKCS#8 DER. */
  readonly privateKey: Uint8Array;
  /** The key signs from this time until the next generation does. */
  readonly signsFrom: Date;
}

export const statements = {
  list: sql`SELECT generation, private_key, signs_from FROM signing_keys WHERE generation > :after
    ORDER BY generation`,
  insert: sql`INSERT INTO signing_keys (generation, private_key, signs_from)
    VALUES (:generation, :privateKey, :signsFrom)`,
  deleteBelow: sql`DELETE FROM signing_keys WHERE generation < :below`,
};

/** Stores and reads the keys. */
export function createSigningKeyStore(db: Knex) {
  return {
    /** All keys, the oldest first. */
    async listSigningKeys(signal: AbortSignal): Promise<SigningKey[]> {
      return (await fetchRows(db, statements.list, { after: 0 }, signal)).map(fromRow<SigningKey>);
    },
    /** Inserts a key, or nothing if its generation is taken. */
    async insertSigningKey(key: SigningKey, signal: AbortSignal): Promise<"inserted" | "taken"> {
      try {
        await write(db, statements.insert, key, signal);
        return "inserted";
      } catch (error) {
        if (isDuplicateKey(error)) return "taken";
        throw error;
      }
    },
    /** Removes the keys of generations below the given one. */
    async deleteSigningKeys(below: number, signal: AbortSignal): Promise<void> {
      await write(db, statements.deleteBelow, { below }, signal);
    },
  };
}
