// Whether the database can serve, and in words for operators why not.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { askReadiness } from "../../../src/store/readiness.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

/** The clocks of a host that is so far ahead of the right time. */
const clocksAhead = (ms: number) => ({ system: () => Date.now() + ms, monotonic: () => performance.now() });

test.each([
  [6_000, "The clock of this host is 6 s ahead of the database's; synchronize both, with NTP for example."],
  [-6_000, "The clock of this host is 6 s behind the database's; synchronize both, with NTP for example."],
  [4_500, undefined],
  [-4_500, undefined],
])("a clock that is %i ms ahead of the database's: %s", async (ms, fault) => {
  expect((await askReadiness(database.db, clocksAhead(ms), signal)).fault).toBe(fault);
});

test("the round trip is allowed for: a slow way to the database is no clock that is off", async () => {
  const { proxy, url } = await proxyBefore(database.address);
  const db = openDatabase({ address: { url }, poolSize: 1, warn: () => undefined });
  onTestFinished(() => db.destroy());
  await askReadiness(db, clocksAhead(0), signal);
  proxy.latencyMs = 600;
  expect((await askReadiness(db, clocksAhead(4_700), signal)).fault).toBeUndefined();
  expect((await askReadiness(db, clocksAhead(-5_700), signal)).fault).toMatch("behind");
});

test("a schema that is behind is named before a clock that is off", async () => {
  const empty = await createEmptyDatabase();
  const db = openDatabase({ address: empty.address, poolSize: 1, warn: () => undefined });
  onTestFinished(async () => {
    await db.destroy();
    await empty.drop();
  });
  expect((await askReadiness(db, clocksAhead(60_000), signal)).fault).toMatch("pas migrate");
});
