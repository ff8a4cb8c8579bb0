// Whether the database can serve, and in words for operators why not.
import { expect, onTestFinished, test } from "vitest";
import { clockFault } from "../../../src/database/clock.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { askReadiness } from "../../../src/database/readiness.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

/** The clocks of a host that is so far ahead of the right time. */
const clocksAhead = (ms: number) => ({ system: () => Date.now() + ms, monotonic: () => performance.now() });

test.each([
  [5_500, "The clock of this host is 6 s ahead of the database's; synchronize both, with NTP for example."],
  [5_001, "The clock of this host is 5 s ahead of the database's; synchronize both, with NTP for example."],
  [-5_001, "The clock of this host is 5 s behind the database's; synchronize both, with NTP for example."],
  [5_000, undefined],
  [-5_000, undefined],
])("a clock that is proven to be %i ms ahead of the database's: %s", (ms, fault) => {
  expect(clockFault(ms)).toBe(fault);
});

test("a slow round trip to the database does not count as a clock that is off", async () => {
  const { proxy, url } = await proxyBefore(database.address);
  const db = openDatabase({ address: { url }, poolSize: 1, warn: () => undefined });
  onTestFinished(() => db.destroy());
  await askReadiness(db, clocksAhead(0), signal);
  proxy.latencyMs = 600;
  expect((await askReadiness(db, clocksAhead(4_700), signal)).fault).toBeUndefined();
  expect((await askReadiness(db, clocksAhead(-10_000), signal)).fault).toMatch("behind");
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
