// Partners, clients, secrets and tokens in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import {
  bytesToUuid,
  columnsOf,
  execute,
  executeText,
  fetchRows,
  fromRow,
  insertNew,
  readRows,
  sql,
  uuidToBytes,
  write,
} from "../../database/statement.ts";
import type { Scope } from "../../domain/identity/scopes.ts";
import { isScope } from "../../domain/identity/scopes.ts";

export interface Partner {
  readonly id: string;
  readonly name: string;
  /** Whether its clients may hold internal scopes. */
  readonly internal: boolean;
  readonly createdAt: Date;
}

export interface Client {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export interface ClientSecret {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly createdAt: Date;
}

/** A client with the creation time of each of its secrets, newest first. */
export interface ListedClient extends Client {
  readonly secretsCreatedAt: readonly Date[];
  /** When one of its secrets or tokens was last used, accurate to some minutes; null if no use is known. */
  readonly lastUsedAt: Date | null;
}

export interface AccessToken {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

/** Two processes that write a time at once write the same one. */
const saveClientUses = "UPDATE clients FORCE INDEX (PRIMARY) SET last_used_at = NOW(3) WHERE id IN (?)";

const partnerColumns = "id, name, internal, created_at";
const clientColumns = "id, partner_id, name, scopes, disabled_at, created_at";

/** Every statement of the identity store. */
export const statements = {
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

/** The store of partners and clients. */
export function createIdentityStore(db: Knex) {
  return {
    async insertPartner(partner: Partner, signal: AbortSignal): Promise<void> {
      await insertNew(db, statements.insertPartner, partner, signal);
    },
    async findPartner(id: string, signal: AbortSignal): Promise<Partner | undefined> {
      const [row] = await fetchRows(db, statements.findPartner, { id }, signal);
      return row && toPartner(row);
    },
    /** Partners with an id greater than `after`, ascending, at most `limit`. */
    async listPartners(after: string, limit: number, signal: AbortSignal): Promise<Partner[]> {
      return (await fetchRows(db, statements.listPartners, { after, limit }, signal)).map(toPartner);
    },
    async insertClient(client: Client, secret: ClientSecret, signal: AbortSignal): Promise<void> {
      await inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.insertClient, { ...client, scopes: client.scopes.join(" ") });
        await execute(connection, statements.insertSecret, secret);
      });
    },
    /** Clients of a partner with an id greater than `after`, ascending, at most `limit`. */
    async listClients(partnerId: string, after: string, limit: number, signal: AbortSignal): Promise<ListedClient[]> {
      const clients = await fetchRows(db, statements.listClients, { partnerId, after, limit }, signal);
      const [first, last] = [clients[0]?.id, clients.at(-1)?.id];
      if (first === undefined) return [];
      const secrets = await fetchRows(db, statements.listSecretsOfClients, { partnerId, first, last }, signal);
      const byClient = Map.groupBy(secrets, (row) => bytesToUuid(row.client_id));
      return clients.map((row) => {
        const client = toClient(row);
        const times = (byClient.get(client.id) ?? []).map((secret): Date => secret.created_at);
        const secretsCreatedAt = times.toSorted((one, other) => other.getTime() - one.getTime());
        return { ...client, secretsCreatedAt, lastUsedAt: row.last_used_at };
      });
    },
    /** Stores that clients were used just now, by the database's clock. @param ids at most 500 */
    async saveClientUses(ids: readonly string[], signal: AbortSignal): Promise<void> {
      const clients = ids.map(uuidToBytes);
      await inTransaction(db, signal, (connection) => executeText(connection, saveClientUses, [clients]));
    },
    async findClient(id: string, signal: AbortSignal): Promise<Client | undefined> {
      const [row] = await fetchRows(db, statements.findClient, { id }, signal);
      return row && toClient(row);
    },
    async disableClient(id: string, at: Date, signal: AbortSignal): Promise<void> {
      await write(db, statements.disableClient, { id, at }, signal);
    },
    /** Adds a secret and removes the oldest ones above `most`. */
    async addClientSecret(secret: ClientSecret, most: number, signal: AbortSignal): Promise<void> {
      const { clientId } = secret;
      await inTransaction(db, signal, async (connection) => {
        // The client's row is locked, so that two concurrent rotations cannot both keep their second newest.
        await execute(connection, statements.lockClient, { id: clientId });
        await execute(connection, statements.insertSecret, secret);
        const rows = await readRows(connection, statements.listSecrets, { clientId });
        const older = rows.filter(({ hash }) => !hash.equals(secret.hash));
        for (const { hash } of older.slice(most - 1)) await execute(connection, statements.deleteSecret, { hash });
      });
    },
    async listClientSecrets(clientId: string, signal: AbortSignal): Promise<ClientSecret[]> {
      const rows = await fetchRows(db, statements.listSecrets, { clientId }, signal);
      return rows.map((row) => ({ hash: row.hash, clientId, createdAt: row.created_at }));
    },
    async insertToken(token: AccessToken, signal: AbortSignal): Promise<void> {
      await insertNew(db, statements.insertToken, { ...token, scopes: token.scopes.join(" ") }, signal);
    },
    /** The token with its client. */
    async findToken(
      hash: Uint8Array,
      signal: AbortSignal,
    ): Promise<{ token: AccessToken; client: Client } | undefined> {
      const [row] = await fetchRows(db, statements.findToken, { hash }, signal);
      if (row === undefined) return undefined;
      const { token_scopes, expires_at: expiresAt, ...rest } = row;
      const client = toClient(rest as RowDataPacket);
      return {
        token: { hash, clientId: client.id, scopes: token_scopes.split(" ").filter(isScope), expiresAt },
        client,
      };
    },
    /** Removes a token of a client, if it exists. */
    async deleteToken(hash: Uint8Array, clientId: string, signal: AbortSignal): Promise<void> {
      await write(db, statements.deleteToken, { hash, clientId }, signal);
    },
  };
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;

function toPartner(row: RowDataPacket): Partner {
  return { ...fromRow<Partner>(row), internal: row.internal === 1 };
}

function toClient(row: RowDataPacket): Client {
  return { ...fromRow<Client>(row), scopes: row.scopes.split(" ").filter(isScope) };
}
