import { expect, test } from "vitest";
import { internalScopes, partnerScopes } from "../../../src/domain/identity/scopes.ts";
import type { Client, ClientSecret, Partner } from "../../../src/store/identity/identity-store.ts";
import { at, someClient, someId, someSecret } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const beforeAllIds = "00000000-0000-0000-0000-000000000000";

const database = await storesOfFile();

async function insertClient(changes: Partial<Client> = {}): Promise<Client> {
  const client = someClient(changes);
  await database.identities.insertClient(client, someSecret(client.id), signal);
  return client;
}

test.each<Partial<Partner>>([
  { name: "Zürich & Söhne", internal: false },
  { name: "\u{1f642}".repeat(255), internal: true },
  { name: " spaces stay " },
])("a partner is read with every field: %j", async (changes) => {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: at(999), ...changes };
  await database.identities.insertPartner(partner, signal);
  expect(await database.identities.findPartner(partner.id, signal)).toEqual(partner);
  expect(await database.identities.listPartners(beforeAllIds, 100, signal)).toContainEqual(partner);
});

test.each<Partial<Client>>([
  { name: "Bäckend \u{1f642}", createdAt: at(1) },
  { scopes: [...partnerScopes, ...internalScopes] },
  { scopes: [] },
])("a client is read with every field: %j", async (changes) => {
  const client = await insertClient(changes);
  expect(await database.identities.findClient(client.id, signal)).toEqual(client);
});

test("the last use of a client is recorded by the database's clock, and other clients stay as they are", async () => {
  const partnerId = someId();
  const clients = [await insertClient({ partnerId }), await insertClient({ partnerId })];
  const usesOf = async () => {
    const listed = await database.identities.listClients(partnerId, beforeAllIds, 10, signal);
    return clients.map((client) => listed.find(({ id }) => id === client.id)?.lastUsedAt);
  };
  expect(await usesOf()).toEqual([null, null]);
  await database.identities.saveClientUses([clients[0]?.id ?? "", someId()], signal);
  expect(await usesOf()).toEqual([expect.any(Date), null]);
  const ofNow = `SELECT COUNT(*) FROM clients
    WHERE last_used_at BETWEEN UTC_TIMESTAMP(3) - INTERVAL 1 HOUR AND UTC_TIMESTAMP(3)`;
  expect(await countOf(database.connection, ofNow)).toBe(1);
});

test("a client is disabled once: the first time is kept, and other clients stay as they are", async () => {
  const [client, other] = [await insertClient(), await insertClient()];
  await database.identities.disableClient(client.id, at(1), signal);
  await database.identities.disableClient(client.id, at(2), signal);
  expect(await database.identities.findClient(client.id, signal)).toEqual({ ...client, disabledAt: at(1) });
  expect(await database.identities.findClient(other.id, signal)).toEqual(other);
});

const hashesOf = (secrets: readonly ClientSecret[]) => secrets.map(({ hash }) => Buffer.from(hash).toString("hex"));
const liveSecrets = async (clientId: string) =>
  hashesOf(await database.identities.listClientSecrets(clientId, signal)).toSorted();

test("two of the secrets made in the same millisecond are valid, the new one among them", async () => {
  const { id } = await insertClient();
  for (let rotation = 0; rotation < 6; rotation += 1) {
    const secret = someSecret(id, at(0));
    await database.identities.addClientSecret(secret, 2, signal);
    const live = await liveSecrets(id);
    expect(live).toHaveLength(2);
    expect(live).toEqual(expect.arrayContaining(hashesOf([secret])));
  }
});

test("eight concurrent rotations leave exactly two secrets", async () => {
  const { id } = await insertClient();
  const rotations = Array.from({ length: 8 }, (_, ms) => someSecret(id, at(ms)));
  await Promise.all(rotations.map((secret) => database.identities.addClientSecret(secret, 2, signal)));
  expect(await liveSecrets(id)).toHaveLength(2);
});

test("a client whose secret cannot be stored is not stored either", async () => {
  const secret = someSecret((await insertClient()).id);
  await database.identities.addClientSecret(secret, 2, signal);
  const client = someClient();
  await expect(database.identities.insertClient(client, { ...secret, clientId: client.id }, signal)).rejects.toThrow();
  expect(await database.identities.findClient(client.id, signal)).toBeUndefined();
});
