// Partners, clients, secrets and tokens in MySQL.

import type { Database } from "../../database/database.ts";
import { qualifyColumns, sql } from "../../database/statement.ts";
import { isScope, type Scope } from "../../domain/identity/scopes.ts";
import { type Field, flag, plain, uuid } from "../../domain/stored-fields.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { keepNewest } from "../keep-newest.ts";
import { insertInto, type Stored, table } from "../table.ts";

const scopes: Field<readonly Scope[]> = {
  read: (text: string) => text.split(" ").filter(isScope),
  write: (list: readonly Scope[]) => list.join(" "),
};
const partners = table({
  id: uuid,
  name: plain<string>(),
  /** Whether its clients may hold internal scopes. */
  internal: flag,
  createdAt: plain<Date>(),
});
const clients = table({
  id: uuid,
  partnerId: uuid,
  name: plain<string>(),
  scopes,
  disabledAt: plain<Date | null>(),
  createdAt: plain<Date>(),
});
const secrets = table({ hash: plain<Uint8Array>(), clientId: uuid, createdAt: plain<Date>() });
const tokens = table({ hash: plain<Uint8Array>(), clientId: uuid, scopes, expiresAt: plain<Date>() });
export type Partner = Stored<typeof partners>;
export type Client = Stored<typeof clients>;
export type ClientSecret = Stored<typeof secrets>;
export type AccessToken = Stored<typeof tokens>;

/** A client with the creation time of each of its secrets, newest first. */
export interface ListedClient extends Client {
  readonly secretsCreatedAt: readonly Date[];
  /** When one of its secrets or tokens was last used, accurate to some minutes; null if no use is known. */
  readonly lastUsedAt: Date | null;
}

/** Every statement of the identity store. */
export const statements = {
  insertPartner: insertInto("partners", partners),
  findPartner: partners.select`FROM partners WHERE id = :id`,
  listPartners: partners.select`FROM partners WHERE id > :after ORDER BY id LIMIT :limit`,
  insertClient: insertInto("clients", clients),
  listClients: sql`SELECT ${clients.columns}, last_used_at FROM clients
    WHERE partner_id = :partnerId AND id > :after ORDER BY id LIMIT :limit`,
  listSecretsOfClients: sql`SELECT s.client_id, s.created_at
    FROM clients AS c JOIN client_secrets AS s ON s.client_id = c.id
    WHERE c.partner_id = :partnerId AND c.id BETWEEN :first AND :last`,
  findClient: clients.select`FROM clients WHERE id = :id`,
  // Two processes that write a time at once write the same one.
  saveClientUses: sql`UPDATE clients FORCE INDEX (PRIMARY) SET last_used_at = NOW(3) WHERE id IN (:ids)`,
  lockClient: sql`SELECT id FROM clients WHERE id = :id FOR UPDATE`,
  disableClient: sql`UPDATE clients SET disabled_at = :at WHERE id = :id AND disabled_at IS NULL`,
  insertSecret: insertInto("client_secrets", secrets),
  listSecrets: secrets.select`FROM client_secrets WHERE client_id = :clientId ORDER BY created_at DESC`,
  deleteSecret: sql`DELETE FROM client_secrets WHERE hash = :hash`,
  insertToken: insertInto("access_tokens", tokens),
  findToken: sql`SELECT t.scopes AS token_scopes, t.expires_at, ${qualifyColumns("c", clients.columns)}
    FROM access_tokens AS t JOIN clients AS c ON c.id = t.client_id WHERE t.hash = :hash`,
  deleteToken: sql`DELETE FROM access_tokens WHERE hash = :hash AND client_id = :clientId`,
};

/** The store of partners and clients. */
export function createIdentityStore(db: Database) {
  return {
    insertPartner: (partner: Partner, signal: AbortSignal) =>
      db.insertIfAbsent(statements.insertPartner, partner, signal),
    findPartner: (id: string, signal: AbortSignal) => db.findOne(statements.findPartner, { id }, signal),

    /** Partners with an id greater than `after`, ascending, at most `limit`. */
    listPartners: (after: string, limit: number, signal: AbortSignal) =>
      db.findAll(statements.listPartners, { after, limit }, signal),

    async insertClient(client: Client, secret: ClientSecret, signal: AbortSignal): Promise<void> {
      await db.runTransaction(signal, async (connection) => {
        await connection.execute(statements.insertClient, clients.toRow(client));
        await connection.execute(statements.insertSecret, secret);
      });
    },
    /** Clients of a partner with an id greater than `after`, ascending, at most `limit`. */
    async listClients(partnerId: string, after: string, limit: number, signal: AbortSignal): Promise<ListedClient[]> {
      const rows = await db.findAll(statements.listClients, { partnerId, after, limit }, signal);
      const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
      if (first === undefined) return [];
      const secretRows = await db.findAll(statements.listSecretsOfClients, { partnerId, first, last }, signal);
      const byClient = Map.groupBy(secretRows, (row) => bytesToUuid(row.client_id));
      return rows.map((row) => {
        const client = clients.fromRow(row);
        const times = (byClient.get(client.id) ?? []).map((secret): Date => secret.created_at);
        const secretsCreatedAt = times.toSorted((one, other) => other.getTime() - one.getTime());
        return { ...client, secretsCreatedAt, lastUsedAt: row.last_used_at };
      });
    },
    /** Stores that clients were used just now, by the database's clock. @param ids at most 1,000 */
    async saveClientUses(ids: readonly string[], signal: AbortSignal): Promise<void> {
      await db.write(statements.saveClientUses, { ids }, signal);
    },
    findClient: (id: string, signal: AbortSignal) => db.findOne(statements.findClient, { id }, signal),

    disableClient: (id: string, at: Date, signal: AbortSignal) =>
      db.write(statements.disableClient, { id, at }, signal),
    /** Adds a secret and removes the oldest ones above `most`. */
    async addClientSecret(secret: ClientSecret, most: number, signal: AbortSignal): Promise<void> {
      const { clientId } = secret;
      await db.runTransaction(signal, async (connection) => {
        // The client's row is locked, so that two concurrent rotations cannot both keep their second newest.
        await connection.execute(statements.lockClient, { id: clientId });
        await connection.execute(statements.insertSecret, secret);
        const { listSecrets: list, deleteSecret: remove } = statements;
        await keepNewest(connection, { list, remove }, secret, most);
      });
    },
    listClientSecrets: (clientId: string, signal: AbortSignal) =>
      db.findAll(statements.listSecrets, { clientId }, signal),

    insertToken: (token: AccessToken, signal: AbortSignal) =>
      db.insertIfAbsent(statements.insertToken, tokens.toRow(token), signal),

    /** The token with its client. */
    async findToken(
      hash: Uint8Array,
      signal: AbortSignal,
    ): Promise<{ token: AccessToken; client: Client } | undefined> {
      const row = await db.findOne(statements.findToken, { hash }, signal);
      if (row === undefined) return undefined;
      const client = clients.fromRow(row);
      const token = tokens.fromRow({ ...row, hash, client_id: row.id, scopes: row.token_scopes });
      return { token, client };
    },

    /** Removes a token of a client, if it exists. */
    deleteToken: (hash: Uint8Array, clientId: string, signal: AbortSignal) =>
      db.write(statements.deleteToken, { hash, clientId }, signal),
  };
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;
