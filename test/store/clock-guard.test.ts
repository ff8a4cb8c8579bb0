// The clock of the database is judged before anything is removed by it. The clocks are the test's: what the database says
// is the server's time and so much more, and every process has a host of its own.
import { beforeEach, describe, expect, test } from "vitest";
import { ClockGuard, type DatabaseClockStore } from "../../src/database/clock.ts";
import { ClockDoubted, timeIfTrusted } from "../../src/domain/trusted-clock.ts";
import { storesOfFile } from "../support/of-file.ts";

const { signal } = new AbortController();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Between two moments of a test that follow each other. */
const aWhile = minute;

const database = await storesOfFile();

/** How far the clock of the database is ahead, and how much time has passed that the test did not wait for. */
let ahead: number;
let passed: number;
beforeEach(() => {
  ahead = 0;
  passed = 0;
});

const trueTime = () => Date.now() + passed;

/** A process on a host of its own. */
function newProcess({ hostAhead = 0 } = {}) {
  const host = { ahead: hostAhead };
  const clocks = {
    system: () => trueTime() + host.ahead,
    monotonic: () => performance.now() + passed,
    uptime: () => performance.now() + passed,
  };
  const databaseClock: DatabaseClockStore = {
    ...database.databaseClock,
    async readState(...about) {
      const { reading, ...state } = await database.databaseClock.readState(...about);
      return { ...state, reading: { ...reading, time: reading.time + passed + ahead } };
    },
  };
  let reason: string | undefined;
  const guard = new ClockGuard({ databaseClock, clocks, observe: (doubt) => (reason = doubt?.reason) });
  return {
    host,
    guard,
    now: guard.clock,
    /** Why it doubts the clock; undefined: it does not. */
    async refresh() {
      await guard.refresh(signal);
      expect([guard.isTrusted(), timeIfTrusted(guard) === null]).toEqual([reason === undefined, reason !== undefined]);
      return reason;
    },
  };
}

test("the guard returns no time before it has read the clock", () => {
  const { guard } = newProcess();
  expect(() => guard.now()).toThrow(ClockDoubted);
  expect(guard.isTrusted()).toBe(false);
});

test("a clock that runs as that of the host does is trusted, and its time is returned", async () => {
  const { guard, refresh } = newProcess();
  for (let count = 0; count < 60; count += 1, passed += minute) expect(await refresh()).toBeUndefined();
  expect(Math.abs(guard.now().getTime() - trueTime())).toBeLessThan(aWhile);
});

describe("steps of the database's clock", () => {
  const steps = [400 * day, 6_000 + aWhile, -6_000 - aWhile, -400 * day];

  describe.each([
    ["of the database alone", 0],
    ["of the database and the host", 1],
  ])("%s", (_, share) => {
    test.each(steps)(
      "a step by %i ms stops removals in processes that saw it, until an operator accepts it",
      async (step) => {
        const processes = [newProcess(), newProcess()];
        for (const { refresh } of processes) expect(await refresh()).toBeUndefined();
        ahead = step;
        for (const { host } of processes) host.ahead = share * step;
        for (const { refresh, guard } of processes) {
          expect(await refresh()).toBe("stepped");
          expect(() => guard.now()).toThrow(/pas clock accept/);
        }
        // Put right: what was written meanwhile has wrong times all the same.
        ahead = 0;
        passed += hour;
        for (const { host } of processes) host.ahead = 0;
        for (const { refresh } of processes) expect(await refresh()).toBe("stepped");
        await database.databaseClock.accept(signal);
        for (const { refresh } of processes) expect(await refresh()).toBeUndefined();
      },
    );
  });

  test("a process that looks only after the clock was put right and accepted sees no doubt", async () => {
    const { refresh } = newProcess();
    await refresh();
    ahead = 400 * day;
    expect(await refresh()).toBe("stepped");
    ahead = 0;
    await database.databaseClock.accept(signal);
    expect(await refresh()).toBeUndefined();
  });

  test("a step is reported with the time that the clock should have had, and the one that it had", async () => {
    const { guard, refresh } = newProcess();
    await refresh();
    passed += hour;
    ahead = 2 * hour;
    await refresh();
    const [from = 0, to = 0] = [...messageOf(guard).matchAll(/\d{4}-\S+Z/g)].map(([time]) => Date.parse(time));
    expect(Math.abs(from - trueTime())).toBeLessThan(aWhile);
    expect(Math.abs(to - trueTime() - ahead)).toBeLessThan(aWhile);
  });

  test("an accepted step sets the time from then on", async () => {
    const process = newProcess();
    await process.refresh();
    ahead = process.host.ahead = 30 * day;
    expect(await process.refresh()).toBe("stepped");
    await database.databaseClock.accept(signal);
    expect(await process.refresh()).toBeUndefined();
    expect(Math.abs(process.now() - trueTime() - ahead)).toBeLessThan(aWhile);
  });

  test("a step does not move the time by which running processes answer", async () => {
    const process = newProcess();
    await process.refresh();
    ahead = 400 * day;
    await process.refresh();
    passed += hour;
    await process.refresh();
    expect(Math.abs(process.now() - trueTime())).toBeLessThan(aWhile);
  });

  test("a step of less than five seconds raises no doubt", async () => {
    const { host, refresh } = newProcess();
    await refresh();
    ahead = host.ahead = 4_000;
    expect(await refresh()).toBeUndefined();
  });

  test("a step that a process did not see stops removals in it only while the clocks disagree", async () => {
    ahead = 400 * day;
    const { refresh } = newProcess();
    expect(await refresh()).toBe("disagrees");
    ahead = 0;
    expect(await refresh()).toBe("stepped");
    expect(await newProcess().refresh()).toBeUndefined();
  });
});

describe("hosts whose clock differs", () => {
  test.each([6_000 + aWhile, -6_000 - aWhile])(
    "a host whose clock is off by %i ms removes nothing until it is right, and others do",
    async (off) => {
      const [wrong, right] = [newProcess(), newProcess()];
      expect([await right.refresh(), await wrong.refresh()]).toEqual([undefined, undefined]);
      wrong.host.ahead = off;
      expect([await right.refresh(), await wrong.refresh()]).toEqual([undefined, "disagrees"]);
      // It knows the right time all the same.
      expect(Math.abs(wrong.now() - trueTime())).toBeLessThan(aWhile);
      wrong.host.ahead = 0;
      expect(await wrong.refresh()).toBeUndefined();
    },
  );

  test("a process that starts while the clocks disagree goes by its host's until they agree", async () => {
    ahead = 3 * hour;
    const started = newProcess();
    expect(await started.refresh()).toBe("disagrees");
    expect(Math.abs(started.now() - trueTime())).toBeLessThan(aWhile);
  });
});

test("a process trusts the clock after its database was away or the machine asleep, since it knows for how long", async () => {
  const { refresh } = newProcess();
  await refresh();
  passed += 40 * hour;
  expect(await refresh()).toBeUndefined();
});

test("a slow answer is no proof of a step", async () => {
  const process = newProcess();
  await process.refresh();
  const looking = process.guard.refresh(signal);
  passed += 20 * minute;
  await looking;
  expect(await process.refresh()).toBeUndefined();
});

test("a database that cannot be read is an error, not a doubt", async () => {
  await expect(newProcess().guard.refresh(AbortSignal.abort())).rejects.toThrow();
});

function messageOf(guard: ClockGuard): string {
  try {
    guard.now();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
