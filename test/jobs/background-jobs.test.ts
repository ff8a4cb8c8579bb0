// What a process does without being asked, and what operators read of it.
import { describe, expect, test } from "vitest";
import type { Job } from "../../src/jobs/job.ts";
import {
  backgroundJobs,
  deliveryWatch,
  ofShard,
  readinessWatch,
  shardJobs,
} from "../../src/process/background-jobs.ts";
import { clockObserver, jobObserver, startedJobObserver } from "../../src/telemetry/logs/background-log.ts";
import { createLogger } from "../../src/telemetry/logs/logger.ts";
import { createMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { storesOfNothing, testDomain } from "../support/domain.ts";

const config = {
  NORMS_HOUR: 1,
  EVENT_INTERVAL_MS: 100,
  EVENT_RETENTION_DAYS: 30,
  AUDIT_KEY: undefined,
  AUDIT_RETENTION_DAYS: 400,
};
const { signal } = new AbortController();

/** The jobs over stores that note what they are asked. */
function newJobs() {
  const asked: string[] = [];
  const maintenance = {
    async deleteExpired() {
      asked.push("deleteExpired");
      return false;
    },
  };
  const log = {
    async expireEvents(days: number) {
      asked.push(`expireEvents ${days}`);
      return false;
    },
  };
  const events = {
    async findUnpublishedAge() {
      return 7;
    },
  };
  const observeUnpublished = (seconds: number) => void asked.push(`unpublished ${seconds}`);
  const sequencer = { run: async () => void asked.push("sequencer") };
  const readiness = async () => void asked.push("readiness");
  const stores = storesOfNothing();
  const sessions = {
    ...stores.sessions,
    async listExpiryDue() {
      asked.push("listExpiryDue");
      return [];
    },
  };
  const observeDeleted = () => undefined;
  const observeEndedKeys = () => undefined;
  const idempotencyKeys = {
    ...stores.idempotencyKeys,
    async deleteExpiredKeys() {
      asked.push("deleteExpiredKeys");
      return 0;
    },
  };
  const sessionPolicies = {
    ...stores.sessionPolicies,
    async listPolicies() {
      asked.push("listPolicies");
      return [];
    },
  };
  const groups = {
    ...stores.groups,
    async nextDuePartner() {
      asked.push("nextDuePartner");
      return undefined;
    },
  };
  const usage = {
    ...stores.usage,
    async countEvents() {
      asked.push("countEvents");
      return false;
    },
  };
  const testClocks = {
    ...stores.testClocks,
    async listTestClocks() {
      asked.push("listTestClocks");
      return [];
    },
  };
  const domain = testDomain({
    ...stores,
    usage,
    sessions,
    groups,
    idempotencyKeys,
    sessionPolicies,
    testClocks,
    maintenance,
    events: { ...stores.events, ...events },
  });
  const observeAnchor = () => undefined;
  const observers = { observeUnpublished, observeDeleted, observeEndedKeys, observeAnchor };
  const deps = { domain, sequencer, log, ...observers, config };
  const background = [...shardJobs(deps), ...backgroundJobs(deps)];
  const jobs = [readinessWatch(readiness), ...background];
  return { asked, jobs: new Map(jobs.map((job) => [job.name, job])) };
}

test("every process watches its readiness and tries to sequence, and one of all removes what has expired", async () => {
  const { asked, jobs } = newJobs();
  expect([...jobs.values()].map(({ name, isExclusive }) => [name, isExclusive ?? false])).toEqual([
    ["readiness-watch", false],
    ["maintenance", true],
    ["usage", true],
    ["session-expiry", true],
    ["group-closing", true],
    ["session-retention", true],
    ["idempotency-keys", true],
    ["event-sequencer", false],
    ["event-retention", true],
    ["norms", true],
    ["client-use", false],
    ["event-backlog", false],
    ["audit-anchor", true],
    ["audit-retention", true],
    ["norm-release", true],
  ]);
  for (const job of jobs.values()) if (!/^(norm.*|audit-.*)$/.test(job.name)) await job.run(signal);
  expect(asked).toEqual([
    "readiness",
    "deleteExpired",
    "countEvents",
    "listExpiryDue",
    "listTestClocks",
    "nextDuePartner",
    "listTestClocks",
    "listPolicies",
    "deleteExpiredKeys",
    "sequencer",
    "expireEvents 30",
    "unpublished 7",
  ]);
});

describe("of several shards", () => {
  test("what waits to be announced is told as one: the oldest age", async () => {
    const told: number[] = [];
    const shards = [3, 9, 5].map((seconds) => ({ events: { findUnpublishedAge: async () => seconds } }));
    const domain = { ...testDomain(storesOfNothing()), shards: () => shards };
    const jobs = backgroundJobs({
      domain: domain as never,
      observeUnpublished: (seconds) => void told.push(seconds),
      observeAnchor: () => undefined,
      config,
    });
    await jobs.find(({ name }) => name === "event-backlog")?.run(signal);
    expect(told).toEqual([9]);
  });

  test("endpoints are counted together, and are as far behind as those of the shard that is the furthest", async () => {
    const told: unknown[] = [];
    const shards = [
      { endpoints: { healthy: 1, down: 2, disabled: 3 }, behindSeconds: 20 },
      { endpoints: { healthy: 10, down: 20, disabled: 30 }, behindSeconds: 50 },
      { endpoints: { healthy: 100, down: 0, disabled: 0 }, behindSeconds: 0 },
    ].map((state) => ({ deliveries: { readDeliveryState: async () => state } }));
    const endpoints = { set: ({ state }: { state: string }, count: number) => void told.push([state, count]) };
    const behind = { set: (seconds: number) => void told.push(seconds) };
    await deliveryWatch({ shards: () => shards, metrics: { endpoints, behind } }).run(signal);
    expect(told).toEqual([["healthy", 111], ["down", 22], ["disabled", 33], 50]);
  });

  test("each has jobs of its own name, so that one process of all does them on each", () => {
    const job = newJobs().jobs.get("usage");
    const names = ["", "-80", "80-"].map((shard) => job && ofShard(job, shard).name);
    expect(names).toEqual(["usage", "usage@-80", "usage@80-"]);
  });
});

test("names fit the key of a lease and the label of a metric", () => {
  for (const name of newJobs().jobs.keys()) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  for (const name of newJobs().jobs.keys()) expect(name.length).toBeLessThanOrEqual(64);
});

test("runs are counted by job and outcome, and the last success has its time", async () => {
  const metrics = createMetrics(() => ({}));
  const observe = jobObserver(createLogger("silent"), metrics);
  observe({ job: "tidy", outcome: "ok", seconds: 0.5, endedAt: 1_790_000_000_500 });
  observe({ job: "tidy", outcome: "failed", seconds: 2, endedAt: 1_790_000_009_000, error: new Error("broken") });
  const text = (await metrics.scrape()).text;
  expect(text).toContain('pas_job_seconds_sum{background_job="tidy",outcome="ok"} 0.5');
  expect(text).toContain('pas_job_seconds_count{background_job="tidy",outcome="failed"} 1');
  expect(text).toContain('pas_job_last_success_timestamp_seconds{background_job="tidy"} 1790000000.5');
});

test("a job that never runs grows old: until its first success its last one is the start of its process", async () => {
  const metrics = createMetrics(() => ({}));
  startedJobObserver(metrics, () => 1_790_000_000_000)({ name: "tidy", intervalMs: 300_000 } as Job);
  const text = (await metrics.scrape()).text;
  expect(text).toContain('pas_job_last_success_timestamp_seconds{background_job="tidy"} 1790000000');
  expect(text).toContain('pas_job_interval_seconds{background_job="tidy"} 300');
});

test("what is in doubt about the clock is told when it changes: a step as an error, with what to do", async () => {
  const lines: { level: string; reason: string | null; msg: string }[] = [];
  const metrics = createMetrics(() => ({}));
  const log = createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) });
  const observe = clockObserver(log, metrics);
  const step = { reason: "stepped", words: "It stepped." } as const;
  for (const doubt of [undefined, undefined, { reason: "disagrees", words: "" } as const]) observe(doubt);
  observe(step);
  observe(step);
  expect((await metrics.scrape()).text).toContain('pas_clock_doubted{reason="stepped"} 1');
  observe(undefined);
  expect((await metrics.scrape()).text).toContain('pas_clock_doubted{reason="stepped"} 0');
  expect(lines.map(({ level, reason }) => [reason, level])).toEqual([
    ["disagrees", "warn"],
    ["stepped", "error"],
    [null, "info"],
  ]);
  expect(lines[1]?.msg).toBe(step.words);
});

test("a run that failed or took too long is a warning with its cause, one that did its work is for debugging", () => {
  const lines: { level: string; outcome: string; err?: { code?: string } }[] = [];
  const observe = jobObserver(
    createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) }),
    createMetrics(() => ({})),
  );
  const about = { job: "tidy", seconds: 1, endedAt: 0 };
  const error = Object.assign(new Error("with values"), { code: "ER_SOMETHING" });
  observe({ ...about, outcome: "failed", error });
  for (const outcome of ["deadline_exceeded", "stopped", "ok"] as const) observe({ ...about, outcome });
  expect(lines.map(({ level, outcome }) => [outcome, level])).toEqual([
    ["failed", "warn"],
    ["deadline_exceeded", "warn"],
    ["stopped", "info"],
    ["ok", "debug"],
  ]);
  expect(lines[0]?.err?.code).toBe("ER_SOMETHING");
  expect(JSON.stringify(lines)).not.toContain("with values");
});
