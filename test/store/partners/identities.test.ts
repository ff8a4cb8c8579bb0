// Partners, clients and tokens come back as they were stored.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { internalScopes, partnerScopes } from "../../../src/domain/identity/scopes.ts";
import type { Client, Partner } from "../../../src/store/identity/identity-store.ts";
import { at, someClient, someId, someSecret, someToken } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

const database = await storesOfFile();

async function insertClient(changes: Partial<Client> = {}): Promise<Client> {
  const client = someClient(changes);
  await database.identities.insertClient(client, someSecret(client.id), signal);
  return client;
}

describe("partners", () => {
  test("partners are listed by id, page after page, in whatever order they were created", async () => {
    const idOf = (digit: string) => `${digit.repeat(8)}-0000-7000-8000-000000000000`;
    for (const digit of ["9", "2", "f", "5"]) {
      await database.identities.insertPartner(
        { id: idOf(digit), name: digit, internal: false, createdAt: at(0) },
        signal,
      );
    }
    const page = async (after: string, limit: number) =>
      (await database.identities.listPartners(after, limit, signal)).map(({ name }) => name);
    expect(await page(beforeAllIds, 3)).toEqual(["2", "5", "9"]);
    expect(await page(idOf("9"), 3)).toEqual(["f"]);
    expect(await page(idOf("f"), 3)).toEqual([]);
    expect(await page(idOf("3"), 100)).toEqual(["5", "9", "f"]);
  });

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

  test("an unknown partner is not found", async () => {
    expect(await database.identities.findPartner(someId(), signal)).toBeUndefined();
  });
});

describe("clients", () => {
  test.each<Partial<Client>>([
    { name: "Bäckend \u{1f642}", createdAt: at(1) },
    { scopes: [...partnerScopes, ...internalScopes] },
    { scopes: [] },
  ])("a client is read with every field: %j", async (changes) => {
    const client = await insertClient(changes);
    expect(await database.identities.findClient(client.id, signal)).toEqual(client);
  });

  test("clients are listed by partner and id, each with the times of its own secrets, newest first", async () => {
    const partnerId = someId();
    const clients = [await insertClient({ partnerId }), await insertClient({ partnerId })];
    await insertClient();
    const [first, second] = clients.map(({ id }) => id).toSorted();
    for (const seconds of [7, 9]) {
      await database.identities.addClientSecret({ ...someSecret(second ?? ""), createdAt: at(seconds) }, 3, signal);
    }
    const listed = await database.identities.listClients(partnerId, beforeAllIds, 10, signal);
    const made = someSecret("").createdAt;
    expect(listed.map(({ id, secretsCreatedAt }) => ({ id, secretsCreatedAt }))).toEqual([
      { id: first, secretsCreatedAt: [made] },
      { id: second, secretsCreatedAt: [at(9), at(7), made].toSorted((one, other) => other.getTime() - one.getTime()) },
    ]);
    expect(await database.identities.listClients(partnerId, first ?? "", 10, signal)).toEqual(listed.slice(1));
    expect(await database.identities.listClients(partnerId, beforeAllIds, 1, signal)).toEqual(listed.slice(0, 1));
    expect(await database.identities.listClients(someId(), beforeAllIds, 10, signal)).toEqual([]);
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

  test("an unknown client is not found", async () => {
    expect(await database.identities.findClient(someId(), signal)).toBeUndefined();
  });

  test("a client is disabled once: the first time is kept, and other clients stay as they are", async () => {
    const [client, other] = [await insertClient(), await insertClient()];
    await database.identities.disableClient(client.id, at(1), signal);
    await database.identities.disableClient(client.id, at(2), signal);
    expect(await database.identities.findClient(client.id, signal)).toEqual({ ...client, disabledAt: at(1) });
    expect(await database.identities.findClient(other.id, signal)).toEqual(other);
  });
});

describe("tokens", () => {
  test("a token is read with its own scopes, and its client as it is now", async () => {
    const client = await insertClient({ scopes: ["sessions:write", "results:read"] });
    await insertClient();
    const token = someToken(client.id, { scopes: ["results:read"], expiresAt: at(123) });
    await database.identities.insertToken(token, signal);
    expect(await database.identities.findToken(token.hash, signal)).toEqual({ token, client });
    await database.identities.disableClient(client.id, at(5), signal);
    const disabled = { ...client, disabledAt: at(5) };
    expect(await database.identities.findToken(token.hash, signal)).toEqual({ token, client: disabled });
  });

  test("a token that is unknown, or differs in one bit, is not found", async () => {
    const token = someToken((await insertClient()).id);
    await database.identities.insertToken(token, signal);
    const other = Buffer.from(token.hash);
    other.writeUInt8(other.readUInt8(31) ^ 1, 31);
    expect(await database.identities.findToken(other, signal)).toBeUndefined();
    expect(await database.identities.findToken(randomBytes(32), signal)).toBeUndefined();
  });

  test("a token is deleted by its own client only, and deleting a missing one succeeds", async () => {
    const [client, other] = [await insertClient(), await insertClient()];
    const [token, further] = [someToken(client.id), someToken(client.id)];
    for (const each of [token, further]) await database.identities.insertToken(each, signal);
    await database.identities.deleteToken(token.hash, other.id, signal);
    expect(await database.identities.findToken(token.hash, signal)).toBeDefined();
    await database.identities.deleteToken(token.hash, client.id, signal);
    await database.identities.deleteToken(token.hash, client.id, signal);
    expect(await database.identities.findToken(token.hash, signal)).toBeUndefined();
    expect(await database.identities.findToken(further.hash, signal)).toBeDefined();
  });
});
