// Background work runs at its time, never twice at once, ends in time, and is told of.
import { describe, expect, test } from "vitest";
import { ClockDoubted } from "../../src/domain/trusted-clock.ts";
import { newJob, newRunner } from "../support/jobs.ts";

const beginnings = (begun: readonly { readonly at: number }[]) => begun.map(({ at }) => at);

describe("a job", () => {
  test("runs for the first time after one interval, and again after each", async () => {
    const { runner, timers } = newRunner();
    const { job, begun } = newJob(timers.now, { run: async () => void begun.push({ at: timers.now() } as never) });
    runner.start(job);
    await timers.pass(999);
    expect(begun).toEqual([]);
    await timers.pass(3_001);
    expect(beginnings(begun)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  test.each([
    ["the least random number", 0, 900],
    ["the greatest random number", 255, 1_099],
  ])("is a tenth of its interval early or late at most: %s", async (_, byte, expected) => {
    const { runner, timers } = newRunner({ jitter: (length) => Buffer.alloc(length, byte) });
    const { job, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_100);
    expect(Math.floor(last().at)).toBe(expected);
  });

  test("never overlaps itself: what is due while a run goes on is left out, and the one after comes at its time", async () => {
    const { runner, timers } = newRunner();
    const { job, begun, last } = newJob(timers.now, { deadlineMs: 60_000 });
    runner.start(job);
    await timers.pass(3_500);
    expect(beginnings(begun)).toEqual([1_000]);
    last().end();
    await timers.pass(400);
    expect(beginnings(begun)).toEqual([1_000]);
    await timers.pass(100);
    expect(beginnings(begun)).toEqual([1_000, 4_000]);
  });

  test("that removes by a clock in doubt is held, which is no failure, and runs again at its time", async () => {
    const { runner, timers, runs } = newRunner();
    const { job, begun, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_000);
    last().fail(new ClockDoubted("The clocks disagree."));
    await timers.pass(1_000);
    expect(runs.map(({ outcome, error }) => [outcome, error])).toEqual([["held", undefined]]);
    expect(beginnings(begun)).toEqual([1_000, 2_000]);
  });

  test("that fails is told of with its error, and runs again at its time", async () => {
    const { runner, timers, runs } = newRunner();
    const { job, begun, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_000);
    const error = new Error("broken");
    last().fail(error);
    await timers.pass(1_000);
    expect(runs).toEqual([{ job: "tidy", outcome: "failed", error, seconds: 0, endedAt: 1_001_000 }]);
    expect(beginnings(begun)).toEqual([1_000, 2_000]);
  });

  test("that throws before it gives a promise is told of as well", async () => {
    const { runner, timers, runs } = newRunner();
    const run = () => {
      throw new Error("at once");
    };
    runner.start(newJob(timers.now, { run }).job);
    await timers.pass(2_000);
    expect(runs.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  });

  test("hears at its deadline that its time is over, and not before", async () => {
    const { runner, timers } = newRunner();
    const { job, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_399);
    expect(last().signal.aborted).toBe(false);
    await timers.pass(1);
    expect(last().signal.reason).toMatchObject({ name: "JobInterrupted", outcome: "deadline_exceeded" });
  });

  test("that does not end at its deadline is told of then, once, and blocks its own next run only", async () => {
    const { runner, timers, runs } = newRunner();
    const { job, begun, last } = newJob(timers.now);
    const other = newJob(timers.now, { name: "other" });
    runner.start(job);
    runner.start(other.job);
    await timers.pass(1_000);
    other.last().end();
    await timers.pass(1_500);
    const ofJob = () => runs.filter((run) => run.job === "tidy");
    expect(ofJob()).toEqual([{ job: "tidy", outcome: "deadline_exceeded", seconds: 0.4, endedAt: 1_001_400 }]);
    expect(begun).toHaveLength(1);
    expect(other.begun).toHaveLength(2);
    last().fail(new Error("too late"));
    await timers.pass(500);
    expect(ofJob()).toHaveLength(1);
    expect(begun).toHaveLength(2);
  });

  test("that ends with an error because its time is over has exceeded its deadline, and has not failed", async () => {
    const { runner, timers, runs } = newRunner();
    const run = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut"))));
    runner.start(newJob(timers.now, { run }).job);
    await timers.pass(1_400);
    expect(runs.map(({ outcome }) => outcome)).toEqual(["deadline_exceeded"]);
  });
});

describe("a stop", () => {
  test("begins no further run", async () => {
    const { runner, timers } = newRunner();
    const { job, begun } = newJob(timers.now);
    runner.start(job);
    await runner.stop(0);
    await timers.pass(10_000);
    expect(begun).toEqual([]);
    expect(() => runner.start(newJob(timers.now, { name: "late" }).job)).toThrow("stopped");
  });

  test("interrupts the running runs and waits for their end", async () => {
    const { runner, timers, runs } = newRunner();
    const { job, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_000);
    let isStopped = false;
    const stopping = runner.stop(5_000).then(() => {
      isStopped = true;
    });
    expect(last().signal.reason).toMatchObject({ outcome: "stopped" });
    await timers.pass(4_999);
    expect(isStopped).toBe(false);
    last().end();
    await stopping;
    expect(runs.map(({ outcome }) => outcome)).toEqual(["stopped"]);
  });

  test("waits no longer than it is given", async () => {
    const { runner, timers } = newRunner();
    const { job, begun } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_000);
    const stopping = runner.stop(5_000);
    await timers.pass(5_000);
    await stopping;
    expect(begun).toHaveLength(1);
  });
});

test("an exclusive job does not begin when its process was frozen while it asked for the lease", async () => {
  const asked = Promise.withResolvers<boolean>();
  // By then another process has it.
  const answers = [asked.promise];
  const takeLease = async () => answers.shift() ?? false;
  const leases = { takeLease, releaseLease: async () => undefined };
  const { runner, timers, runs } = newRunner({ leases });
  const { job, begun } = newJob(timers.now, { isExclusive: true });
  runner.start(job);
  await timers.pass(1_000);
  timers.freeze(60_000);
  // As at a thaw: what has arrived comes first, and the timers that are due come after it.
  asked.resolve(true);
  await asked.promise;
  await timers.pass(0);
  expect(begun).toEqual([]);
  expect(runs.map(({ outcome }) => outcome)).toEqual(["deadline_exceeded"]);
});
