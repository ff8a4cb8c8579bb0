// Background work runs on schedule, never twice at once, ends in time, and is reported.
import { expect, test } from "vitest";
import { newJob, newRunner } from "../support/jobs.ts";

const beginnings = (begun: readonly { readonly at: number }[]) => begun.map(({ at }) => at);

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

test("a job that fails is reported so, with its error, and runs again on schedule", async () => {
  const { runner, timers, runs } = newRunner();
  const { job, begun, last } = newJob(timers.now);
  const error = new Error("broken");
  runner.start(job);
  await timers.pass(1_000);
  last().fail(error);
  await timers.pass(1_000);
  expect(runs).toEqual([{ job: "tidy", outcome: "failed", error, seconds: 0 }]);
  expect(beginnings(begun)).toEqual([1_000, 2_000]);
});

test("a job that may not run now is not begun, and runs on schedule once it may", async () => {
  const { runner, timers, runs } = newRunner();
  const { job, begun } = newJob(timers.now, { mayRun: () => timers.now() > 2_500 });
  runner.start(job);
  await timers.pass(3_000);
  expect(beginnings(begun)).toEqual([3_000]);
  expect(runs).toEqual([]);
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

test("a run that cannot be counted is reported as a defect, and the job runs again on schedule", async () => {
  const error = new Error("no metric takes it");
  const observe = () => {
    throw error;
  };
  const { runner, timers, runs, defects } = newRunner({ observe });
  runner.start(newJob(timers.now, { run: async () => undefined }).job);
  await timers.pass(2_000);
  expect([runs, defects]).toEqual([[], [error, error]]);
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

test("a job that runs past its deadline is reported when it ends, and delays only its own next run", async () => {
  const { runner, timers, runs } = newRunner();
  const { job, begun, last } = newJob(timers.now);
  const other = newJob(timers.now, { name: "other" });
  runner.start(job);
  runner.start(other.job);
  await timers.pass(1_000);
  other.last().end();
  await timers.pass(1_500);
  const ofJob = () => runs.filter((run) => run.job === "tidy");
  expect(ofJob()).toEqual([]);
  expect(begun).toHaveLength(1);
  expect(other.begun).toHaveLength(2);
  const error = new Error("too late");
  last().fail(error);
  await timers.pass(500);
  expect(ofJob()).toEqual([{ job: "tidy", outcome: "deadline_exceeded", error, seconds: 1.5 }]);
  expect(begun).toHaveLength(2);
});

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

test("a stop aborts the runs under way, waits until they end and reports none of them", async () => {
  const { runner, timers, runs } = newRunner();
  const { job, last } = newJob(timers.now);
  runner.start(job);
  await timers.pass(1_000);
  let isStopped = false;
  const stopping = runner.stop(5_000).then(() => {
    isStopped = true;
  });
  expect(last().signal.aborted).toBe(true);
  await timers.pass(4_999);
  expect(isStopped).toBe(false);
  last().end();
  await stopping;
  expect(runs).toEqual([]);
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
