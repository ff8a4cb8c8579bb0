// The clock of the database is judged before anything is removed by it. The clocks are the test's: what the database says
// is the server's time and so much more, and every process has a host of its own.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ClockGuard } from "../../src/domain/clock-guard.ts";
import type { DatabaseClockStore } from "../../src/domain/database-clock-port.ts";
import { ClockDoubted, readIfTrusted } from "../../src/domain/trusted-clock.ts";
import { SharedClock } from "../../src/kernel/shared-clock.ts";
import { openTestStores, type TestStores } from "../support/databases/stores.ts";

const { signal } = new AbortController();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Between two moments of a test that follow each other. */
const aWhile = minute;

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

/** How far the clock of the database is ahead, and how much time has passed that the test did not wait for. */
let ahead: number;
let passed: number;
beforeEach(async () => {
  ahead = 0;
  passed = 0;
  await database.connection.query(
    "UPDATE database_clock SET accepted_at = NULL, stepped_from = NULL, stepped_to = NULL",
  );
});

const trueTime = () => Date.now() + passed;

/** A process on a host of its own. */
function newProcess({ hostAhead = 0 } = {}) {
  const host = { ahead: hostAhead, stoodStill: 0 };
  const clocks = {
    system: () => trueTime() + host.ahead,
    monotonic: () => performance.now() + passed - host.stoodStill,
    uptime: () => performance.now() + passed - host.stoodStill,
  };
  const databaseClock: DatabaseClockStore = {
    ...database.databaseClock,
    async readState(...about) {
      const { reading, ...state } = await database.databaseClock.readState(...about);
      return { ...state, reading: { ...reading, time: reading.time + passed + ahead } };
    },
  };
  const shared = new SharedClock(clocks.system, clocks.monotonic);
  const told: (string | undefined)[] = [];
  const observe = (doubt: { reason: string } | undefined) => void told.push(doubt?.reason);
  const guard = new ClockGuard({ databaseClock, clocks, shared, observe });
  return {
    host,
    told,
    guard,
    now: shared.now,
    /** Why it doubts the clock; undefined: it does not. */
    look: async () => (await guard.look(signal))?.reason,
    /** What a running process does: it looks again and again, for so long. */
    async run(ms: number) {
      for (const end = passed + ms; passed < end; passed += minute) await guard.look(signal);
    },
  };
}

/** What `pas clock accept` does, by the clock of this test's database. */
async function accept(): Promise<void> {
  await database.databaseClock.acceptNow(signal);
  const [time, one] = [new Date(trueTime() + ahead), "UPDATE database_clock SET accepted_at = ?"];
  await database.connection.query(one, [time]);
}

test("a clock that goes on with that of the host is trusted, and its time is given out", async () => {
  const { guard, look, run } = newProcess();
  expect(await look()).toBeUndefined();
  await run(2 * hour);
  expect(Math.abs((await guard.read(signal)).getTime() - trueTime())).toBeLessThan(aWhile);
  expect(guard.isTrusted()).toBe(true);
});

describe("a step of the database's clock", () => {
  const steps = [400 * day, 6 * minute, -6 * minute, -400 * day];

  describe.each([
    ["alone", 0],
    ["and that of the host", 1],
  ])("%s", (_, share) => {
    test.each(steps)("by %i ms stops removals in every process, until an operator accepts it", async (step) => {
      const [running, other] = [newProcess(), newProcess()];
      expect([await running.look(), await other.look()]).toEqual([undefined, undefined]);
      ahead = step;
      for (const { host } of [running, other]) host.ahead = share * step;
      const started = newProcess({ hostAhead: share * step });
      for (const process of [running, other, started]) {
        await expect(process.guard.read(signal)).rejects.toThrow(ClockDoubted);
        expect(process.told.at(-1)).toBe("stepped");
        expect(process.guard.isTrusted()).toBe(false);
      }
      // Put right: what was written meanwhile has wrong times all the same.
      ahead = 0;
      passed += hour;
      for (const { host } of [running, other, started]) host.ahead = 0;
      for (const { look } of [running, newProcess()]) expect(await look()).toBe("stepped");
      await accept();
      for (const { look } of [running, other, started, newProcess()]) expect(await look()).toBeUndefined();
    });
  });

  test("is told with what the clock should have said, and what it said", async () => {
    const { look } = newProcess();
    await look();
    passed += hour;
    ahead = 2 * hour;
    await look();
    const { step } = await database.databaseClock.readState(() => 0, signal);
    expect(Math.abs((step?.from.getTime() ?? 0) - trueTime())).toBeLessThan(aWhile);
    expect(Math.abs((step?.to.getTime() ?? 0) - trueTime() - ahead)).toBeLessThan(aWhile);
  });

  test("that is accepted is the time from then on", async () => {
    const process = newProcess();
    await process.look();
    ahead = process.host.ahead = 30 * day;
    expect(await process.look()).toBe("stepped");
    await accept();
    expect(await process.look()).toBeUndefined();
    expect(Math.abs(process.now() - trueTime() - ahead)).toBeLessThan(aWhile);
  });

  test("does not move the time by which running processes answer", async () => {
    const process = newProcess();
    await process.look();
    ahead = 400 * day;
    await process.look();
    passed += hour;
    await process.look();
    expect(Math.abs(process.now() - trueTime())).toBeLessThan(aWhile);
  });

  test("of less than five minutes is none", async () => {
    const { host, look } = newProcess();
    await look();
    ahead = host.ahead = 4 * minute;
    expect(await look()).toBeUndefined();
  });
});

describe("a host whose clock differs", () => {
  test.each([6_000 + aWhile, -6_000 - aWhile])("by %i ms removes nothing while it does, and others do", async (off) => {
    const [wrong, right] = [newProcess({ hostAhead: off }), newProcess()];
    expect([await right.look(), await wrong.look(), await right.look()]).toEqual([undefined, "disagrees", undefined]);
    // It knows the right time all the same.
    expect(Math.abs(wrong.now() - trueTime())).toBeLessThan(aWhile);
    wrong.host.ahead = 0;
    expect(await wrong.look()).toBeUndefined();
  });

  test("goes by its own where that of the database is not what it was", async () => {
    await newProcess().look();
    ahead = 3 * hour;
    const started = newProcess();
    expect(await started.look()).toBe("disagrees");
    expect(Math.abs(started.now() - trueTime())).toBeLessThan(aWhile);
  });
});

describe("after a time in which nobody looked", () => {
  test("of less than a day, the clock is trusted again when it has agreed with the host's for ten minutes", async () => {
    await newProcess().look();
    passed += 23 * hour;
    const started = newProcess();
    expect(await started.look()).toBe("unseen");
    await started.run(9 * minute);
    expect(await started.look()).toBe("unseen");
    // Another one that starts begins anew: it cannot know more.
    expect(await newProcess().look()).toBe("unseen");
    await started.run(2 * minute);
    expect(await started.look()).toBeUndefined();
    expect(await newProcess().look()).toBeUndefined();
  });

  test("the ten minutes begin anew where the clocks did not agree", async () => {
    await newProcess().look();
    passed += hour;
    const started = newProcess();
    await started.run(9 * minute);
    started.host.ahead = hour;
    expect(await started.look()).toBe("disagrees");
    started.host.ahead = 0;
    await started.run(9 * minute);
    expect(await started.look()).toBe("unseen");
  });

  // The clock of the host and that of the database, which are both wrong, agree.
  test("of more than a day, it takes an operator", async () => {
    await newProcess().look();
    passed += 25 * hour;
    const started = newProcess();
    await started.run(hour);
    expect(await started.look()).toBe("stepped");
  });

  test("a few minutes are nothing", async () => {
    await newProcess().look();
    passed += 4 * minute;
    expect(await newProcess().look()).toBeUndefined();
  });

  test("since the database was away, or the machine asleep, a process that knows how long it was goes on", async () => {
    const { look } = newProcess();
    await look();
    passed += 40 * hour;
    expect(await look()).toBeUndefined();
  });
});

test("a process that stood still takes the word of others that the clock did not step", async () => {
  const [one, other] = [newProcess(), newProcess()];
  await one.look();
  await other.run(hour);
  one.host.stoodStill = hour;
  expect(await one.look()).toBeUndefined();
});

test("a slow answer proves no step", async () => {
  const process = newProcess();
  await process.look();
  const looking = process.guard.look(signal);
  passed += 20 * minute;
  await looking;
  expect(await process.look()).toBeUndefined();
});

test("a database that cannot be read is no doubt, but an error", async () => {
  const { guard } = newProcess();
  await expect(readIfTrusted(guard, AbortSignal.abort())).rejects.toThrow();
});
