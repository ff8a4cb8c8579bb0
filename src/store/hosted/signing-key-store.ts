// The key of completion tokens, in MySQL: an installation has one.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";

/** The first key that is stored is the key of all processes. */
export const statements = {
  find: sql`SELECT private_key FROM signing_keys WHERE id = 1`,
  insert: sql`INSERT INTO signing_keys (id, private_key) VALUES (1, :privateKey)`,
};

/** Stores and reads the key: an Ed25519 private key as PKCS#8 DER. */
export function createSigningKeyStore(db: Database) {
  return {
    findSigningKey: async (signal: AbortSignal): Promise<Uint8Array | undefined> =>
      (await db.findOne(statements.find, {}, signal))?.private_key,

    /** Stores the key, unless there is one. */
    insertSigningKey: (privateKey: Uint8Array, signal: AbortSignal) =>
      db.insertIfAbsent(statements.insert, { privateKey }, signal),
  };
}
