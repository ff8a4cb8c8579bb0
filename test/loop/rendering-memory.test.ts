// However many reports are rendered, in whatever words, the process takes no more memory than after the first of them.
import { afterEach, beforeEach, expect, test } from "vitest";
import { Child } from "../bench/servers/child.ts";
import { howMany, inExtent } from "../support/extent.ts";
import { startOptions, startVariables } from "../support/processes/command.ts";
import type { ManyReports, MemoryUsed } from "../support/reports/many-reports.ts";

const count = howMany(200, 40);
const rounds = howMany(4, 3);
/** PNGs take the most, and had a leak outside of the memory that Node counts. */
const formats = inExtent<"png" | "svg" | "pdf">(["png", "svg", "pdf"], ["png"]);
// The first 200 PNGs warm up. Where each kept its memory, 44 of them had more than doubled it.
const maxGrowth = howMany(1.15, 1.3);
const maxBytes = howMany(350, 290) << 20;

let reports: Child<ManyReports, MemoryUsed>;
// What one format leaves is not counted for the next.
beforeEach(() => {
  reports = new Child("test/support/reports/many-reports.ts", startOptions(), startVariables());
});
afterEach(() => reports.stop());

test.each(formats)("memory stays flat while reports are rendered as %s", async (format) => {
  const first = await reports.ask({ format, count });
  const runs = [first];
  while (runs.length <= rounds) runs.push(await reports.ask({ format, count }));
  const mebibytes = (bytes: number) => Math.round(bytes / (1 << 20));
  console.log(format, runs.map(({ afterwards, most }) => `${mebibytes(afterwards)} (${mebibytes(most)})`).join(", "));
  expect(Math.max(...runs.map(({ most }) => most))).toBeLessThan(maxBytes);
  expect(Math.min(...runs.slice(-2).map(({ afterwards }) => afterwards))).toBeLessThan(maxGrowth * first.afterwards);
});
