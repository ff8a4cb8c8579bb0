// What a process does without being asked, and what operators read of it.
import { expect, test } from "vitest";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";

test("clocks that differ are logged when that begins and when it ends", async () => {
  const lines: { level: string; msg: string }[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) });
  const { observeClock: observe, scrape } = createTelemetry(log);
  for (const fault of [undefined, undefined, "They differ.", "They differ."]) observe(fault);
  expect((await scrape()).text).toContain("pas_clock_skewed 1");
  observe(undefined);
  expect((await scrape()).text).toContain("pas_clock_skewed 0");
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ["warn", "They differ."],
    ["info", "the clocks of this host and of the database agree again"],
  ]);
});

test("a run that failed or timed out is logged as a warning with its cause, a successful one for debugging", () => {
  const lines: { level: string; outcome: string; err?: { code?: string } }[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(JSON.parse(line)) });
  const { observe } = createTelemetry(log).jobs;
  const about = { job: "tidy", seconds: 1 };
  const error = Object.assign(new Error("with values"), { code: "ER_SOMETHING" });
  observe({ ...about, outcome: "failed", error });
  for (const outcome of ["deadline_exceeded", "ok"] as const) observe({ ...about, outcome });
  expect(lines.map(({ level, outcome }) => [outcome, level])).toEqual([
    ["failed", "warn"],
    ["deadline_exceeded", "warn"],
    ["ok", "debug"],
  ]);
  expect(lines[0]?.err?.code).toBe("ER_SOMETHING");
  expect(JSON.stringify(lines)).not.toContain("with values");
});
