// Threads that render stand behind the thread that serves calls, and take nobody else with them.
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

/** Priorities of all threads of this process, by their ids. */
function priorities(): ReadonlyMap<number, number> {
  const threads = readdirSync("/proc/self/task").map(Number);
  return new Map(threads.map((thread) => [thread, getPriority(thread)]));
}

test("threads that render have a lower priority than the process, and no other threads have", async () => {
  const before = priorities();
  const own = getPriority(0);
  const renderer = createReportRenderer(createRenderingThread());
  await renderer.renderReport({ model: reportWith({ 1: [24, 12] }), format: "pdf", branding: neutralBranding });
  const after = priorities();
  const lowered = [...after].filter(([, priority]) => priority === Math.min(19, own + 5));
  expect(lowered.length).toBeGreaterThan(0);
  for (const [thread] of lowered) expect(before.has(thread)).toBe(false);
  for (const [thread, priority] of before) expect(after.get(thread) ?? priority).toBe(priority);
  expect(getPriority(0)).toBe(own);
  await renderer.close();
});
