// The keys of completion tokens, in MySQL.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { fetchRows, sql, write } from "../../database/statement.ts";
import type { SigningKeyStore } from "../../domain/hosted/signing-key-port.ts";

export const statements = {
  list: sql`SELECT generation, private_key, signs_from FROM signing_keys WHERE generation > :after
    ORDER BY generation`,
  insert: sql`INSERT INTO signing_keys (generation, private_key, signs_from)
    VALUES (:generation, :privateKey, :signsFrom)`,
  deleteBelow: sql`DELETE FROM signing_keys WHERE generation < :below`,
};

/** The signing key part of the Store port. */
export function createSigningKeyStore(db: Knex): SigningKeyStore {
  return {
    async listSigningKeys(signal) {
      const rows = await fetchRows(db, statements.list, { after: 0 }, signal);
      return rows.map((row) => ({
        generation: row.generation,
        privateKey: row.private_key,
        signsFrom: row.signs_from,
      }));
    },
    async insertSigningKey({ generation, privateKey, signsFrom }, signal) {
      try {
        await write(db, statements.insert, { generation, privateKey: Buffer.from(privateKey), signsFrom }, signal);
        return "inserted";
      } catch (error) {
        if (isDuplicateKey(error)) return "taken";
        throw error;
      }
    },
    async deleteSigningKeys(below, signal) {
      await write(db, statements.deleteBelow, { below }, signal);
    },
  };
}
