// Usage is counted from the log of events: each event once, by its own day, and never taken back.
import { beforeEach, expect, test } from "vitest";
import { countUsage } from "../../../src/services/usage/usage.ts";
import { at, someErasure, someId, someRecording, someResults, someSession } from "../../support/builders.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const dayMs = 24 * 60 * 60 * 1000;
const [day, next] = ["2026-11-20", "2026-11-21"] as const;
const november = { from: "2026-11-01", until: "2026-12-01" };
const nothing = { created: 0, started: 0, completed: 0, cancelled: 0, expired: 0, erased: 0 };

const database = await storesOfFile();

let partnerId: string;
beforeEach(() => {
  partnerId = someId();
});

async function newSession(changes: Parameters<typeof someSession>[0] = {}) {
  const session = someSession({ partnerId, ...changes });
  await database.sessions.insertSession(session, signal);
  return session;
}

async function count(): Promise<void> {
  await sequenceEvents(database);
  await countUsage(database, signal);
}

const usageOf = (range: { partnerId?: string; from?: string; until?: string } = {}) =>
  database.usage.listUsage({ partnerId, ...november, ...range }, null, 100, signal);

test("sessions are counted on the day of what happened, by mode", async () => {
  const first = await newSession({ createdAt: at(dayMs - 1) });
  await newSession({ createdAt: at(0) });
  await newSession({ createdAt: at(0), mode: "hosted", redirectUrl: "https://partner.test/" });
  await newSession({ createdAt: at(dayMs) });
  const completion = { ...someRecording([1]), completedAt: at(dayMs), results: someResults() };
  await database.sessions.saveCompletion(first, 0, completion, signal);
  await count();
  const headless = { partnerId, mode: "headless" } as const;
  const [one, two, three] = await usageOf();
  expect([one, two]).toMatchObject([
    { ...headless, day, created: 2, completed: 0 },
    { partnerId, mode: "hosted", day, created: 1, completed: 0 },
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
});

test("an event is counted once, even by several processes at the same time and repeatedly", async () => {
  for (let index = 0; index < 25; index += 1) await newSession();
  await sequenceEvents(database);
  const steps = () => database.usage.countEvents(3, signal);
  for (let turn = 0; turn < 4; turn += 1) await Promise.all([steps(), steps(), steps()]);
  await count();
  await count();
  expect(await usageOf()).toMatchObject([{ created: 25 }]);
});

test("erased sessions are counted as erased, and stay in the other numbers", async () => {
  const { id } = await newSession();
  await newSession();
  await count();
  const [before] = await usageOf();
  await database.sessions.eraseSessions([id], someErasure(partnerId), signal);
  await count();
  const erased = { ...nothing, partnerId, day, mode: null, erased: 1 };
  expect(await usageOf()).toEqual([erased, before]);
});

test("counting reports how far it has come", async () => {
  await newSession();
  await sequenceEvents(database);
  await database.usage.countEvents(1_000, signal);
  const first = await database.usage.findCountedAt(signal);
  await newSession();
  await sequenceEvents(database);
  expect(await database.usage.findCountedAt(signal)).toEqual(first);
  await database.usage.countEvents(1_000, signal);
  expect((await database.usage.findCountedAt(signal))?.getTime()).toBeGreaterThanOrEqual(
    first?.getTime() ?? Number.NaN,
  );
});
