// The SQL of partners, clients, secrets and tokens, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";

/** A time that two processes write at once is the same one. */
export const saveClientUses = "UPDATE clients FORCE INDEX (PRIMARY) SET last_used_at = NOW(3) WHERE id IN (?)";

/** Every statement of the identity store. Bindings are names, `":name"`. */
export function identityStatements(db: Knex) {
  const partnerColumns = ["id", "name", "internal", "created_at"];
  const clientColumns = ["id", "partner_id", "name", "scopes", "disabled_at", "created_at"];
  return {
    insertPartner: compile(
      db("partners").insert({ id: ":id", name: ":name", internal: ":internal", created_at: ":createdAt" }),
    ),
    findPartner: compile(db("partners").select(partnerColumns).where({ id: ":id" })),
    listPartners: compile(
      db.raw(`SELECT ${partnerColumns.join(", ")} FROM partners WHERE id > ? ORDER BY id LIMIT ?`, [
        ":after",
        ":limit",
      ]),
    ),
    insertClient: compile(
      db("clients").insert({
        id: ":id",
        partner_id: ":partnerId",
        name: ":name",
        scopes: ":scopes",
        created_at: ":createdAt",
      }),
    ),
    listClients: compile(
      db.raw(
        `SELECT ${clientColumns.join(", ")}, last_used_at FROM clients WHERE partner_id = ? AND id > ? ORDER BY id LIMIT ?`,
        [":partnerId", ":after", ":limit"],
      ),
    ),
    listSecretsOfClients: compile(
      db("clients as c")
        .join("client_secrets as s", "s.client_id", "c.id")
        .select(["s.client_id", "s.created_at"])
        .where({ "c.partner_id": ":partnerId" })
        .whereBetween("c.id", [":first", ":last"]),
    ),
    findClient: compile(db("clients").select(clientColumns).where({ id: ":id" })),
    lockClient: compile(db("clients").select("id").where({ id: ":id" }).forUpdate()),
    disableClient: compile(db("clients").update({ disabled_at: ":at" }).where({ id: ":id" }).whereNull("disabled_at")),
    insertSecret: compile(
      db("client_secrets").insert({ hash: ":hash", client_id: ":clientId", created_at: ":createdAt" }),
    ),
    listSecrets: compile(
      db("client_secrets")
        .select(["hash", "created_at"])
        .where({ client_id: ":clientId" })
        .orderBy("created_at", "desc"),
    ),
    deleteSecret: compile(db("client_secrets").where({ hash: ":hash" }).delete()),
    insertToken: compile(
      db("access_tokens").insert({
        hash: ":hash",
        client_id: ":clientId",
        scopes: ":scopes",
        expires_at: ":expiresAt",
      }),
    ),
    findToken: compile(
      db("access_tokens as t")
        .join("clients as c", "c.id", "t.client_id")
        .select(["t.scopes as token_scopes", "t.expires_at", ...clientColumns.map((column) => `c.${column}`)])
        .where({ "t.hash": ":hash" }),
    ),
    deleteToken: compile(db("access_tokens").where({ hash: ":hash", client_id: ":clientId" }).delete()),
  };
}
