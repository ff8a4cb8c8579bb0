// Partners and clients in a database, made without a process: commands are tested where they are what a test is about.

import { backgroundAcquireTimeoutMs, Database, type DatabaseAddress } from "../../../src/database/database.ts";
import { partnerScopes, type Scope } from "../../../src/domain/identity/scopes.ts";
import { createClient, createPartner } from "../../../src/services/identity/partners.ts";
import { createStores } from "../../../src/store/stores.ts";
import { deadline } from "../deadline.ts";
import { testDependencies } from "../dependencies.ts";

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Use cases over a database that is prepared. */
export function openPartners(address: DatabaseAddress) {
  const db = new Database({
    address,
    poolSize: 2,
    warn: () => undefined,
    acquireTimeoutMs: backgroundAcquireTimeoutMs,
  });
  const dependencies = testDependencies(createStores(db));
  return {
    dependencies,
    addPartner: ({ name = "Test", internal = false } = {}) => createPartner(dependencies, { name, internal }, deadline),
    addClient: (partnerId: string, scopes: readonly Scope[]) =>
      createClient(dependencies, { partnerId, name: "Test", scopes }, deadline),
    close: () => db.destroy(),
  };
}

/** A client of a new partner, with all scopes of partners, and its token from a service on the database. */
export async function addCallerOf(httpUrl: string, database: DatabaseAddress) {
  const partners = openPartners(database);
  try {
    const partnerId = await partners.addPartner();
    const token = await fetchToken(httpUrl, await partners.addClient(partnerId, partnerScopes));
    return { partnerId, token };
  } finally {
    await partners.close();
  }
}

/** A token by the client credentials grant. */
export async function fetchToken(httpUrl: string, { clientId, clientSecret }: Credentials): Promise<string> {
  const response = await fetch(`${httpUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
