// A client has at most two live secrets, for rotation.
import { expect, test } from "vitest";
import type { ClientSecret } from "../../../src/store/identity/identity-store.ts";
import { at, someClient, someSecret } from "../../support/builders.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

/** A client with its first secret. */
async function insertClient(): Promise<ClientSecret> {
  const client = someClient();
  const secret = someSecret(client.id, client.createdAt);
  await database.identities.insertClient(client, secret, signal);
  return secret;
}

async function liveSecrets(clientId: string): Promise<string[]> {
  return hashesOf(await database.identities.listClientSecrets(clientId, signal));
}

function hashesOf(secrets: readonly ClientSecret[]): string[] {
  return secrets.map(({ hash }) => Buffer.from(hash).toString("hex")).toSorted();
}

test("two of the secrets made in the same millisecond are valid, the new one among them", async () => {
  const { clientId } = await insertClient();
  for (let rotation = 0; rotation < 6; rotation += 1) {
    const secret = someSecret(clientId, at(0));
    await database.identities.addClientSecret(secret, 2, signal);
    const live = await liveSecrets(clientId);
    expect(live).toHaveLength(2);
    expect(live).toEqual(expect.arrayContaining(hashesOf([secret])));
  }
});

test("eight concurrent rotations leave exactly two secrets", async () => {
  const { clientId } = await insertClient();
  const rotations = Array.from({ length: 8 }, (_, ms) => someSecret(clientId, at(ms)));
  await Promise.all(rotations.map((secret) => database.identities.addClientSecret(secret, 2, signal)));
  expect(await liveSecrets(clientId)).toHaveLength(2);
});

test("a client whose secret cannot be stored is not stored either", async () => {
  const taken = await insertClient();
  const client = someClient();
  await expect(database.identities.insertClient(client, { ...taken, clientId: client.id }, signal)).rejects.toThrow();
  expect(await database.identities.findClient(client.id, signal)).toBeUndefined();
});
