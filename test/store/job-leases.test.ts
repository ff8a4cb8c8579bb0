// A job that is exclusive runs in one process at a time, by the clock of the database.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createJobLeaseStore } from "../../src/store/jobs/job-lease-store.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { countOf } from "../support/databases/stores.ts";
import { signal } from "../support/deadline.ts";
import { newJob, newRunner } from "../support/jobs.ts";
import { storesOfFile } from "../support/of-file.ts";

const [one, other] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
const minute = 60_000;

const database = await storesOfFile();
beforeEach(async () => {
  await database.connection.query("DELETE FROM job_leases");
});

/** Makes every lease end in the past, as if its time had passed. */
async function endLeases(): Promise<void> {
  await database.connection.query("UPDATE job_leases SET expires_at = NOW(3) - INTERVAL 1 SECOND");
}

/** Seconds until the lease of a job ends, by the database's clock. */
function secondsLeft(job: string): Promise<number> {
  const sql = "SELECT TIMESTAMPDIFF(MICROSECOND, NOW(3), expires_at) / 1e6 FROM job_leases WHERE name = ?";
  return countOf(database.connection, sql, [job]);
}

const take = (holder: Buffer, job = "job") => database.jobLeases.takeLease(job, holder, minute, signal);

test("only one of many that ask at the same time gets a lease, the first time and after its end", async () => {
  const holders = Array.from({ length: 12 }, (_, index) => Buffer.alloc(16, index));
  for (const isFirst of [true, false]) {
    if (!isFirst) await endLeases();
    const outcomes = await Promise.all(holders.map((holder) => take(holder)));
    expect(outcomes.filter((isTaken) => isTaken)).toHaveLength(1);
  }
});

test("a lease lasts as long as was asked for since its last renewal, by the database's clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * minute });
  onTestFinished(() => void vi.useRealTimers());
  await take(one);
  await database.connection.query("UPDATE job_leases SET expires_at = NOW(3) + INTERVAL 1 SECOND");
  await take(one);
  const seconds = await secondsLeft("job");
  expect(seconds).toBeLessThanOrEqual(60);
  expect(seconds).toBeGreaterThan(30);
});

test("a lease that its holder releases is free, and nobody else can release it", async () => {
  await take(one);
  await database.jobLeases.releaseLease("job", other, signal);
  expect(await take(other)).toBe(false);
  await database.jobLeases.releaseLease("job", one, signal);
  expect(await take(other)).toBe(true);
});

function newProcess(changes: { deadlineMs?: number } = {}) {
  const db = poolOfTest({ address: database.address, poolSize: 2 });
  const jobLeases = createJobLeaseStore(db);
  let leaseRequest: Promise<unknown> = Promise.resolve();
  const takeLease: typeof jobLeases.takeLease = (...about) => {
    const taking = jobLeases.takeLease(...about);
    leaseRequest = taking.catch(() => undefined);
    return taking;
  };
  const { runner, timers, runs } = newRunner({ leases: { takeLease, releaseLease: jobLeases.releaseLease } });
  const { job, begun, last } = newJob(timers.now, { isExclusive: true, deadlineMs: minute, ...changes });
  runner.start(job);
  /** Lets the next run become due. @returns whether it has begun */
  const becomeDue = async (): Promise<boolean> => {
    const before = begun.length;
    await timers.pass(1_000);
    await leaseRequest;
    await timers.pass(0);
    return begun.length > before;
  };
  return { runner, timers, runs, begun, last, becomeDue };
}

test("one process runs the job, and goes on running it", async () => {
  const [first, second] = [newProcess(), newProcess()];
  expect(await first.becomeDue()).toBe(true);
  expect(await second.becomeDue()).toBe(false);
  first.last().end();
  expect(await second.becomeDue()).toBe(false);
  expect(await first.becomeDue()).toBe(true);
  expect(second.runs).toEqual([]);
});

test("a process that is frozen or dead is replaced when its lease has expired, and not before", async () => {
  const [frozen, second] = [newProcess(), newProcess()];
  expect(await frozen.becomeDue()).toBe(true);
  expect(await second.becomeDue()).toBe(false);
  await endLeases();
  expect(await second.becomeDue()).toBe(true);
  // What was frozen and goes on has no lease any more, and begins nothing.
  frozen.last().end();
  expect(await frozen.becomeDue()).toBe(false);
});

test("a lease outlasts the deadline of a run, so that the run is over before another one begins", async () => {
  const { becomeDue } = newProcess({ deadlineMs: 7 * minute });
  await becomeDue();
  expect(await secondsLeft("tidy")).toBeGreaterThan(7 * 60);
});

test("a process that stops hands the job over at once, when its run has ended", async () => {
  const [first, second] = [newProcess(), newProcess()];
  await first.becomeDue();
  const stopping = first.runner.stop(minute);
  expect(await second.becomeDue()).toBe(false);
  first.last().end();
  await stopping;
  expect(await second.becomeDue()).toBe(true);
});

test("a process whose run outlasts its stop keeps the lease until the lease expires", async () => {
  const [first, second] = [newProcess(), newProcess()];
  await first.becomeDue();
  const stopping = first.runner.stop(minute);
  await first.timers.pass(minute);
  await stopping;
  expect(await second.becomeDue()).toBe(false);
});

test("a lease that cannot be asked for is a failed run, and the next run comes at its time", async () => {
  const process = newProcess();
  await database.connection.query("RENAME TABLE job_leases TO job_leases_away");
  expect(await process.becomeDue()).toBe(false);
  await database.connection.query("RENAME TABLE job_leases_away TO job_leases");
  expect(process.runs.map(({ outcome }) => outcome)).toEqual(["failed"]);
  expect(await process.becomeDue()).toBe(true);
});
