// A rendering thread stands behind the thread that serves calls, and takes nobody else with it.
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

/** Priorities of all threads of this process, by their ids. */
function priorities(): ReadonlyMap<number, number> {
  const threads = readdirSync("/proc/self/task").map(Number);
  return new Map(threads.map((thread) => [thread, getPriority(thread)]));
}

test("one thread has a lower priority than before, and no other one", async () => {
  const before = priorities();
  const own = getPriority(0);
  const renderer = createReportRenderer();
  await renderer.renderReport({ model: reportWith({ 1: [24, 12] }), format: "pdf", branding: neutralBranding });
  const after = priorities();
  const lowered = [...after].filter(([, priority]) => priority === Math.min(19, own + 5));
  expect(lowered).toHaveLength(1);
  expect(before.has(lowered[0]?.[0] ?? 0)).toBe(false);
  for (const [thread, priority] of before) expect(after.get(thread) ?? priority).toBe(priority);
  expect(getPriority(0)).toBe(own);
  await renderer.close();
});
