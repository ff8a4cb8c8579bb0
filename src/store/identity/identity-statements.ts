// The SQL of partners, clients, secrets and tokens.
import { columnsOf, sql } from "../../database/statement.ts";

/** A time that two processes write at once is the same one. */
export const saveClientUses = "UPDATE clients FORCE INDEX (PRIMARY) SET last_used_at = NOW(3) WHERE id IN (?)";

const partnerColumns = "id, name, internal, created_at";
const clientColumns = "id, partner_id, name, scopes, disabled_at, created_at";

/** Every statement of the identity store. */
export const identityStatements = {
  insertPartner: sql`INSERT INTO partners (created_at, id, internal, name) VALUES (:createdAt, :id, :internal, :name)`,
  findPartner: sql`SELECT ${partnerColumns} FROM partners WHERE id = :id`,
  listPartners: sql`SELECT ${partnerColumns} FROM partners WHERE id > :after ORDER BY id LIMIT :limit`,
  insertClient: sql`INSERT INTO clients (created_at, id, name, partner_id, scopes)
    VALUES (:createdAt, :id, :name, :partnerId, :scopes)`,
  listClients: sql`SELECT ${clientColumns}, last_used_at FROM clients
    WHERE partner_id = :partnerId AND id > :after ORDER BY id LIMIT :limit`,
  listSecretsOfClients: sql`SELECT s.client_id, s.created_at
    FROM clients AS c JOIN client_secrets AS s ON s.client_id = c.id
    WHERE c.partner_id = :partnerId AND c.id BETWEEN :first AND :last`,
  findClient: sql`SELECT ${clientColumns} FROM clients WHERE id = :id`,
  lockClient: sql`SELECT id FROM clients WHERE id = :id FOR UPDATE`,
  disableClient: sql`UPDATE clients SET disabled_at = :at WHERE id = :id AND disabled_at IS NULL`,
  insertSecret: sql`INSERT INTO client_secrets (client_id, created_at, hash) VALUES (:clientId, :createdAt, :hash)`,
  listSecrets: sql`SELECT hash, created_at FROM client_secrets WHERE client_id = :clientId ORDER BY created_at DESC`,
  deleteSecret: sql`DELETE FROM client_secrets WHERE hash = :hash`,
  insertToken: sql`INSERT INTO access_tokens (client_id, expires_at, hash, scopes)
    VALUES (:clientId, :expiresAt, :hash, :scopes)`,
  findToken: sql`SELECT t.scopes AS token_scopes, t.expires_at, ${columnsOf("c", clientColumns)}
    FROM access_tokens AS t JOIN clients AS c ON c.id = t.client_id WHERE t.hash = :hash`,
  deleteToken: sql`DELETE FROM access_tokens WHERE hash = :hash AND client_id = :clientId`,
};
