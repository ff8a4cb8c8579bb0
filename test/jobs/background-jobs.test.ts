// What a process does without being asked, and what operators read of it.
import { expect, test } from "vitest";
import { backgroundJobs } from "../../src/background-jobs.ts";
import { jobObserver } from "../../src/telemetry/job-log.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { constantStores } from "../bench/pipeline/constant-stores.ts";
import { testDomain } from "../support/domain.ts";

const config = { NORMS_INTERVAL_SECONDS: 10, EVENT_INTERVAL_MS: 100, EVENT_RETENTION_DAYS: 30 };
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
  const events = {
    async expireEvents(days: number) {
      asked.push(`expireEvents ${days}`);
      return false;
    },
    async findUnpublishedAge() {
      return 7;
    },
  };
  const observeUnpublished = (seconds: number) => void asked.push(`unpublished ${seconds}`);
  const sequencer = { run: async () => void asked.push("sequencer") };
  const readiness = async () => void asked.push("readiness");
  const stores = constantStores(false);
  const domain = testDomain({ ...stores, maintenance, events: { ...stores.events, ...events } });
  const jobs = backgroundJobs({ domain, sequencer, observeUnpublished, readiness, config });
  return { asked, jobs: new Map(jobs.map((job) => [job.name, job])) };
}

test("every process watches its readiness and tries to sequence, and one of all removes what has expired", async () => {
  const { asked, jobs } = newJobs();
  expect([...jobs.values()].map(({ name, isExclusive }) => [name, isExclusive ?? false])).toEqual([
    ["readiness-watch", false],
    ["maintenance", true],
    ["event-sequencer", false],
    ["event-backlog", false],
    ["event-retention", true],
    ["norms", true],
  ]);
  for (const job of jobs.values()) if (job.name !== "norms") await job.run(signal);
  expect(asked).toEqual(["readiness", "deleteExpired", "sequencer", "unpublished 7", "expireEvents 30"]);
});

test("names fit the key of a lease and the label of a metric", () => {
  for (const name of newJobs().jobs.keys()) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  for (const name of newJobs().jobs.keys()) expect(name.length).toBeLessThanOrEqual(64);
});

test("runs are counted by job and outcome, and the last success has its time", async () => {
  const metrics = createMetrics(() => 0);
  const observe = jobObserver(createLogger("silent"), metrics);
  observe({ job: "tidy", outcome: "ok", seconds: 0.5, endedAt: 1_790_000_000_500 });
  observe({ job: "tidy", outcome: "failed", seconds: 2, endedAt: 1_790_000_009_000, error: new Error("broken") });
  const text = await metrics.text();
  expect(text).toContain('pas_job_seconds_sum{background_job="tidy",outcome="ok"} 0.5');
  expect(text).toContain('pas_job_seconds_count{background_job="tidy",outcome="failed"} 1');
  expect(text).toContain('pas_job_last_success_timestamp_seconds{background_job="tidy"} 1790000000.5');
});

test("a run that failed or took too long is a warning with its cause, one that did its work is for debugging", () => {
  const lines: { level: number; outcome: string; err?: { code?: string } }[] = [];
  const observe = jobObserver(
    createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) }),
    createMetrics(() => 0),
  );
  const about = { job: "tidy", seconds: 1, endedAt: 0 };
  const error = Object.assign(new Error("with values"), { code: "ER_SOMETHING" });
  observe({ ...about, outcome: "failed", error });
  for (const outcome of ["deadline_exceeded", "stopped", "ok"] as const) observe({ ...about, outcome });
  expect(lines.map(({ level, outcome }) => [outcome, level])).toEqual([
    ["failed", 40],
    ["deadline_exceeded", 40],
    ["stopped", 30],
    ["ok", 20],
  ]);
  expect(lines[0]?.err?.code).toBe("ER_SOMETHING");
  expect(JSON.stringify(lines)).not.toContain("with values");
});
