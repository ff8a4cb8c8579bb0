// The identity part of the Store port: partners, clients, secrets and tokens.
import type { Scope } from "./scopes.ts";

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

/** A client with when each of its secrets was made, newest first. */
export interface ListedClient extends Client {
  readonly secretsCreatedAt: readonly Date[];
  /** When one of its secrets or tokens was last taken, to some minutes; null if it is not known to have been. */
  readonly lastUsedAt: Date | null;
}

export interface AccessToken {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

export interface IdentityStore {
  insertPartner(partner: Partner, signal: AbortSignal): Promise<void>;
  findPartner(id: string, signal: AbortSignal): Promise<Partner | undefined>;
  /** Partners with an id greater than `after`, ascending, at most `limit`. */
  listPartners(after: string, limit: number, signal: AbortSignal): Promise<Partner[]>;
  insertClient(client: Client, secret: ClientSecret, signal: AbortSignal): Promise<void>;
  /** Clients of a partner with an id greater than `after`, ascending, at most `limit`. */
  listClients(partnerId: string, after: string, limit: number, signal: AbortSignal): Promise<ListedClient[]>;
  /** Notes that clients were used just now, by the database's clock. @param ids at most 500 */
  saveClientUses(ids: readonly string[], signal: AbortSignal): Promise<void>;
  findClient(id: string, signal: AbortSignal): Promise<Client | undefined>;
  disableClient(id: string, at: Date, signal: AbortSignal): Promise<void>;
  /** Adds a secret and removes the oldest ones above `most`. */
  addClientSecret(secret: ClientSecret, most: number, signal: AbortSignal): Promise<void>;
  listClientSecrets(clientId: string, signal: AbortSignal): Promise<ClientSecret[]>;
  insertToken(token: AccessToken, signal: AbortSignal): Promise<void>;
  /** The token with its client. */
  findToken(hash: Uint8Array, signal: AbortSignal): Promise<{ token: AccessToken; client: Client } | undefined>;
  /** Removes a token of a client, if it is there. */
  deleteToken(hash: Uint8Array, clientId: string, signal: AbortSignal): Promise<void>;
}
