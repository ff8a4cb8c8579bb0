// Background work runs on schedule, never twice at once, ends in time, and is reported.
import { describe, expect, test } from "vitest";
import { JobSkipped } from "../../src/jobs/job.ts";
import { newJob, newRunner } from "../support/jobs.ts";

const beginnings = (begun: readonly { readonly at: number }[]) => begun.map(({ at }) => at);

describe("runs of a job", () => {
  test("a job runs for the first time after one interval, and again after each", async () => {
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
  ])("a job starts at most a tenth of its interval early or late: %s", async (_, byte, expected) => {
    const { runner, timers } = newRunner({ jitter: (length) => Buffer.alloc(length, byte) });
    const { job, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_100);
    expect(Math.floor(last().at)).toBe(expected);
  });

  test("a job never overlaps itself: a run that is due during another is skipped, and the next one starts on schedule", async () => {
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

  test.each([
    ["skipped", new JobSkipped("The clocks disagree.")],
    ["failed", new Error("broken")],
  ])("a job that is %s is reported so, with its error, and runs again on schedule", async (outcome, error) => {
    const { runner, timers, runs } = newRunner();
    const { job, begun, last } = newJob(timers.now);
    runner.start(job);
    await timers.pass(1_000);
    last().fail(error);
    await timers.pass(1_000);
    expect(runs).toEqual([{ job: "tidy", outcome, error, seconds: 0, endedAt: 1_001_000 }]);
    expect(beginnings(begun)).toEqual([1_000, 2_000]);
  });

  test("a job that throws before it returns a promise is reported as failed", async () => {
    const { runner, timers, runs } = newRunner();
    const run = () => {
      throw new Error("at once");
    };
    runner.start(newJob(timers.now, { run }).job);
    await timers.pass(2_000);
    expect(runs.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  });

  test("a job is aborted at its deadline, not before, and is reported as such, not as failed", async () => {
    const { runner, timers, runs } = newRunner();
    const run = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    runner.start(newJob(timers.now, { run }).job);
    await timers.pass(1_399);
    expect(runs).toEqual([]);
    await timers.pass(1);
    expect(runs.map(({ outcome }) => outcome)).toEqual(["deadline_exceeded"]);
  });

  test("a job that runs past its deadline is reported once, and delays only its own next run", async () => {
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
});

describe("stopping the runner", () => {
  test("a stopped runner starts no further run, and its jobs are no longer monitored", async () => {
    const { runner, timers, stoppedJobs } = newRunner();
    const { job, begun } = newJob(timers.now);
    runner.start(job);
    await runner.stop(0);
    await timers.pass(10_000);
    expect(begun).toEqual([]);
    expect(stoppedJobs).toEqual(["tidy"]);
    expect(() => runner.start(newJob(timers.now, { name: "late" }).job)).toThrow("stopped");
  });

  test("a stop aborts the runs under way and waits until they end", async () => {
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

  test("a stop waits no longer than the time that it is given", async () => {
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

test("an exclusive job does not start if its process was frozen while it asked for the lease", async () => {
  const asked = Promise.withResolvers<boolean>();
  // By then another process has it.
  const answers = [asked.promise];
  const takeLease = async () => answers.shift() ?? false;
  const leases = { takeLease, releaseLease: async () => 0 };
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
