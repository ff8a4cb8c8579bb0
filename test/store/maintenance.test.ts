// What has expired is removed in batches, and nothing else is.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { at, someId, someLink, someSession, someToken } from "../support/builders.ts";
import { countOf, openTestStores, type TestStores } from "../support/stores.ts";

const { signal } = new AbortController();
const now = at(1000);

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
beforeEach(async () => {
  for (const table of ["access_tokens", "hosted_links"]) await database.connection.query(`DELETE FROM ${table}`);
});
afterAll(() => database.close());

async function storeTokens(...expiries: readonly Date[]): Promise<void> {
  for (const expiresAt of expiries) await database.identities.insertToken(someToken(someId(), { expiresAt }), signal);
}

async function storeLinks(...expiries: readonly Date[]): Promise<void> {
  for (const expiresAt of expiries) {
    const session = someSession({ mode: "hosted" });
    await database.sessions.insertSession(session, signal);
    await database.hosted.addLink(someLink(session.id, { expiresAt }), 10, signal);
  }
}

async function left(): Promise<{ tokens: number; links: number }> {
  const { connection } = database;
  const tokens = await countOf(connection, "SELECT COUNT(*) FROM access_tokens");
  return { tokens, links: await countOf(connection, "SELECT COUNT(*) FROM hosted_links") };
}

test("expired tokens and links go; those that expire now or later stay", async () => {
  await storeTokens(at(0), at(999), at(1000), at(1001));
  await storeLinks(at(0), at(999), at(1000), at(1001));
  expect(await database.maintenance.deleteExpired(now, 100, signal)).toBe(false);
  expect(await left()).toEqual({ tokens: 2, links: 2 });
  const sql = "SELECT COUNT(*) FROM access_tokens JOIN hosted_links USING (expires_at) WHERE expires_at >= ?";
  expect(await countOf(database.connection, sql, ["2026-11-20 00:00:01.000"])).toBe(2);
});

test("no more than the limit goes at a time, the oldest first, and more is announced until none is left", async () => {
  await storeTokens(...[4, 3, 2, 1, 0].map(at));
  const more: boolean[] = [];
  for (let call = 0; call < 3; call += 1) {
    more.push(await database.maintenance.deleteExpired(now, 2, signal));
    if (call === 0) {
      const sql = "SELECT COUNT(*) FROM access_tokens WHERE expires_at < ?";
      expect(await countOf(database.connection, sql, ["2026-11-20 00:00:00.002"])).toBe(0);
    }
  }
  expect(more).toEqual([true, true, false]);
  expect(await left()).toEqual({ tokens: 0, links: 0 });
});

test("links alone are enough for more to be announced", async () => {
  await storeLinks(...[1, 2, 3].map(at));
  expect(await database.maintenance.deleteExpired(now, 2, signal)).toBe(true);
  expect(await database.maintenance.deleteExpired(now, 2, signal)).toBe(false);
  expect(await left()).toEqual({ tokens: 0, links: 0 });
});

test("without anything expired nothing goes and nothing is announced", async () => {
  await storeTokens(at(2000));
  await storeLinks(at(2000));
  expect(await database.maintenance.deleteExpired(now, 1, signal)).toBe(false);
  expect(await left()).toEqual({ tokens: 1, links: 1 });
});
