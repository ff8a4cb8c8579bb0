// The keys of completion tokens, in MySQL.
import type { Knex } from "knex";
import { insertNew, sql, write } from "../../database/statement.ts";
import { findAll, insertInto, plain, table } from "../table.ts";

/** A key that completion tokens are signed with. */
export interface SigningKey {
  /** Counted from 1. */
  readonly generation: number;
  /** An Ed25519 private key as PKCS#8 DER. */
  readonly privateKey: Uint8Array;
  /** The key signs from this time until the next generation does. */
  readonly signsFrom: Date;
}

const signingKeys = table<SigningKey>(plain("generation", "privateKey", "signsFrom"));

export const statements = {
  list: signingKeys.select`FROM signing_keys WHERE generation > :after ORDER BY generation`,
  insert: insertInto("signing_keys", signingKeys),
  deleteBelow: sql`DELETE FROM signing_keys WHERE generation < :below`,
};

/** Stores and reads the keys. */
export function createSigningKeyStore(db: Knex) {
  return {
    /** All keys, the oldest first. */
    listSigningKeys: (signal: AbortSignal) => findAll(db, statements.list, { after: 0 }, signal),

    /** Inserts a key. False: its generation is taken. */
    insertSigningKey: (key: SigningKey, signal: AbortSignal) => insertNew(db, statements.insert, key, signal),

    /** Removes the keys of generations below the given one. */
    deleteSigningKeys: (below: number, signal: AbortSignal) => write(db, statements.deleteBelow, { below }, signal),
  };
}
