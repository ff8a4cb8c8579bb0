// The keys of completion tokens, in MySQL.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { compile, fetchRows, write } from "../../database/statement.ts";
import type { SigningKeyStore } from "../../domain/hosted/signing-key-port.ts";

/** The signing key part of the Store port. */
export function createSigningKeyStore(db: Knex): SigningKeyStore {
  const columns = ["generation", "private_key", "signs_from"];
  const statements = {
    list: compile(db("signing_keys").select(columns).where("generation", ">", ":after").orderBy("generation")),
    insert: compile(
      db("signing_keys").insert({
        generation: ":generation",
        private_key: ":privateKey",
        signs_from: ":signsFrom",
      }),
    ),
    deleteBelow: compile(db("signing_keys").where("generation", "<", ":below").delete()),
  };
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
