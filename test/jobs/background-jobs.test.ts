// What a process does without being asked, and what operators read of it.
import { describe, expect, test } from "vitest";
import { JobSkipped } from "../../src/jobs/job.ts";
import { backgroundJobs, deliveryWatch } from "../../src/process/background-jobs.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { storesOfNothing, testDomain } from "../support/domain.ts";

const config = {
  NORMS_HOUR: 1,
  EVENT_INTERVAL_MS: 100,
  EVENT_RETENTION_DAYS: 30,
  AUDIT_KEY: undefined,
  AUDIT_RETENTION_DAYS: 400,
};
const { signal } = new AbortController();

describe("of several shards", () => {
  test("the age of the outbox is that of the oldest entry on any shard", async () => {
    const told: number[] = [];
    const shards = [3, 9, 5].map((seconds) => ({ events: { findUnpublishedAge: async () => seconds } }));
    const domain = { ...testDomain(storesOfNothing()), shards: () => shards };
    const observers = {
      observeUnpublished: (seconds: number) => void told.push(seconds),
      observeAnchor: () => undefined,
    };
    const jobs = backgroundJobs(domain as never, observers, config);
    await jobs.find(({ name }) => name === "event-backlog")?.run(signal);
    expect(told).toEqual([9]);
  });

  test("the endpoints of all shards are counted together, and the largest delay of a shard is reported", async () => {
    const told: unknown[] = [];
    const shards = [
      { endpoints: { healthy: 1, down: 2, disabled: 3 }, behindSeconds: 20 },
      { endpoints: { healthy: 10, down: 20, disabled: 30 }, behindSeconds: 50 },
      { endpoints: { healthy: 100, down: 0, disabled: 0 }, behindSeconds: 0 },
    ].map((state) => ({ deliveries: { readDeliveryState: async () => state } }));
    const endpoints = { set: ({ state }: { state: string }, count: number) => void told.push([state, count]) };
    const behind = { set: (seconds: number) => void told.push(seconds) };
    await deliveryWatch(() => shards, { endpoints, behind }).run(signal);
    expect(told).toEqual([["healthy", 111], ["down", 22], ["disabled", 33], 50]);
  });
});

test("clocks that differ are logged when that begins and when it ends", async () => {
  const lines: { level: string; msg: string }[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) });
  const { observeClock: observe, scrape } = createTelemetry(log);
  for (const fault of [undefined, undefined, "They differ.", "They differ."]) observe(fault);
  expect((await scrape()).text).toContain("pas_clock_doubted 1");
  observe(undefined);
  expect((await scrape()).text).toContain("pas_clock_doubted 0");
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ["warn", "They differ."],
    ["info", "the clocks of this host and of the database agree again"],
  ]);
});

test("a run that failed or timed out is logged as a warning with its cause, a skipped one with its reason, a successful one for debugging", () => {
  const lines: { level: string; outcome: string; err?: { code?: string }; reason?: string }[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) });
  const { observe } = createTelemetry(log).jobs;
  const about = { job: "tidy", seconds: 1, endedAt: 0 };
  const error = Object.assign(new Error("with values"), { code: "ER_SOMETHING" });
  observe({ ...about, outcome: "failed", error });
  for (const outcome of ["deadline_exceeded", "stopped", "ok"] as const) observe({ ...about, outcome });
  observe({ ...about, outcome: "skipped", error: new JobSkipped("The clocks differ.") });
  expect(lines.map(({ level, outcome }) => [outcome, level])).toEqual([
    ["failed", "warn"],
    ["deadline_exceeded", "warn"],
    ["stopped", "info"],
    ["ok", "debug"],
    ["skipped", "info"],
  ]);
  expect(lines[4]?.reason).toBe("The clocks differ.");
  expect(lines[0]?.err?.code).toBe("ER_SOMETHING");
  expect(JSON.stringify(lines)).not.toContain("with values");
});
