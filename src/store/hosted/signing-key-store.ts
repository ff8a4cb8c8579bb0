// The key of completion tokens, in MySQL: an installation has one.
import type { Knex } from "knex";
import { insertNew } from "../../database/statement.ts";
import { plain } from "../../domain/stored-fields.ts";
import { findOne, insertInto, table } from "../table.ts";

/** Always 1: the first key that is stored is the key of all processes. */
const id = 1;
const signingKeys = table({
  id: plain<number>(),
  /** An Ed25519 private key as PKCS#8 DER. */
  privateKey: plain<Uint8Array>(),
});

export const statements = {
  find: signingKeys.select`FROM signing_keys WHERE id = :id`,
  insert: insertInto("signing_keys", signingKeys),
};

/** Stores and reads the key. */
export function createSigningKeyStore(db: Knex) {
  return {
    async findSigningKey(signal: AbortSignal): Promise<Uint8Array | undefined> {
      return (await findOne(db, statements.find, { id }, signal))?.privateKey;
    },

    /** Stores the key, unless there is one. */
    insertSigningKey: (privateKey: Uint8Array, signal: AbortSignal) =>
      insertNew(db, statements.insert, { id, privateKey }, signal),
  };
}
