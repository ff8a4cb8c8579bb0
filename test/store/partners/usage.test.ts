// Usage is counted from the log of events: each event once, by its own day, and never taken back.
import { beforeEach, expect, test } from "vitest";
import { batchSizes } from "../../../src/services/batch-sizes.ts";
import { at, someErasure, someId, someResults } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const dayMs = 24 * 60 * 60 * 1000;
const [day, next] = ["2026-11-20", "2026-11-21"] as const;
const november = { from: "2026-11-01", until: "2026-12-01" };
const nothing = { created: 0, started: 0, completed: 0, cancelled: 0, expired: 0, erased: 0 };

const database = await storesOfFile();

let partnerId: string;
beforeEach(() => {
  partnerId = someId();
});

const newSession = (changes: Parameters<typeof storeSession>[1] = {}) =>
  storeSession(database, { partnerId, ...changes });

const usageOf = (range: { partnerId?: string; from?: string; until?: string } = {}) =>
  database.usage.listUsage({ partnerId, ...november, ...range }, signal);

test("sessions are counted on the day of what happened, by mode", async () => {
  const completion = { completedAt: at(dayMs), results: someResults() };
  await storeCompleted(database, { partnerId, createdAt: at(dayMs - 1) }, completion);
  await newSession({ createdAt: at(0) });
  await newSession({ createdAt: at(0), mode: "hosted", redirectUrl: "https://partner.test/" });
  await newSession({ createdAt: at(dayMs) });
  await sequenceEvents(database);
  const headless = { mode: "headless" } as const;
  const [one, two, three] = await usageOf();
  expect([one, two]).toMatchObject([
    { ...headless, day, created: 2, completed: 0 },
    { mode: "hosted", day, created: 1, completed: 0 },
  ]);
  expect(three).toMatchObject({
    ...headless,
    day: next,
    created: 1,
    completed: 1,
    cancelled: 0,
    expired: 0,
    erased: 0,
  });
  expect(await usageOf({ until: next })).toEqual([one, two]);
  expect((await usageOf({ from: next }))[0]).toEqual(three);
});

test("an event is counted once, even by several sequencers at the same time and repeatedly", async () => {
  for (let index = 0; index < 25; index += 1) await newSession();
  const sizes = { ...batchSizes, published: 3 };
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.all([1, 2, 3].map(() => sequenceEvents(database, sizes)));
  }
  expect(await usageOf()).toMatchObject([{ created: 25 }]);
});

test("erased sessions are counted as erased, and stay in the other numbers", async () => {
  const { id } = await newSession();
  await newSession();
  await sequenceEvents(database);
  const [before] = await usageOf();
  await database.sessions.eraseSessions([id], someErasure(partnerId), signal);
  await sequenceEvents(database);
  const erased = { ...nothing, day, mode: null, erased: 1 };
  expect(await usageOf()).toEqual([erased, before]);
});
