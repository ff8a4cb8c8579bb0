// A process that renders reports, and tells the memory that it takes meanwhile. No two of them are alike, and their words are
// of every kind.
import { setTimeout as pause } from "node:timers/promises";
import type { RenderingTask } from "../../../src/products/values-bridge/report-rendering/render-task.ts";
import { createRenderingThread } from "../../../src/products/values-bridge/report-rendering/thread.ts";
import { answerParent } from "../../bench/servers/child.ts";
import { reportWith } from "./reports.ts";

export interface ManyReports {
  readonly format: RenderingTask["format"];
  readonly count: number;
}

/** Bytes of the process. */
export interface MemoryUsed {
  /** When the reports are rendered. */
  readonly afterwards: number;
  readonly most: number;
}

const pictures = ["circle", "gaps", "poster"] as const;
const branding = { displayName: "Łódź Coaching 🧭", accentColor: "#205080", logoUrl: null };
/** Signs that a support text has, of the emoji. */
const signs = 300;
const [firstEmoji, emoji] = [0x1f300, 1_700];
const [firstIdeograph, ideographs] = [0x4e00, 20_000];

/** Emoji, ideographs, words from right to left, accents and signs of many parts. */
function someWords(index: number): string {
  const own = Array.from({ length: signs }, (_, place) => firstEmoji + ((index * 7 + place) % emoji));
  const others = ["價值", "שלום", "مرحبا", "👩‍👩‍👧‍👦", "Z\u0321\u0359", "สวัสดี"].join(` ${index} `);
  return `${String.fromCodePoint(...own)} ${others} ${String.fromCodePoint(firstIdeograph + (index % ideographs))}`;
}

function taskOf(index: number, format: ManyReports["format"]): RenderingTask {
  const steps = { chosen: { step: `🧘 ${index} 價值`, lookAgainOn: "2026-12-24" }, earlier: `☕ ${index}` };
  const model = reportWith({ 1: [24, 12], 2: [10, 20], 11: [21, index % 24] }, { steps });
  const cover = { name: `Dvořák ${index} שלום`, date: "24 November 2026" };
  const support = { title: "Support", text: someWords(index) };
  return {
    model: { ...model, cover, support },
    branding,
    format,
    paper: "a4",
    picture: pictures[index % 3] ?? "circle",
  };
}

// Rendering on a busy machine takes longer than the service waits for it.
const thread = createRenderingThread({ taskMs: 100_000, idleMs: 30_000, oldSpaceMb: 128 });
let reportCount = 0;

answerParent<ManyReports, MemoryUsed>(async ({ format, count }) => {
  let most = 0;
  // Each is there when the one before is done, as where many callers wait.
  const tasks = Array.from({ length: count }, (_, index) => taskOf(reportCount + index, format));
  reportCount += count;
  for (const task of tasks) {
    await thread.render(task);
    most = Math.max(most, process.memoryUsage.rss());
  }
  // What the last report took is free a moment later.
  await pause(100);
  return { afterwards: process.memoryUsage.rss(), most };
});
