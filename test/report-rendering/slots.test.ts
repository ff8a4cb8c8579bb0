// Slots of those who want a PDF or PNG: who is one too many hears so at once, and the others do not crowd the event
// loop.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RenderingSlot, ReportRenderer } from "../../src/products/values-bridge/report/rendering.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { threadLimits } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { takeRenderingSlot } from "../../src/services/reports/reports.ts";

let renderer: ReportRenderer;
let slots: RenderingSlot[];
const one = { partnerId: "one", caller: "client" };
const take = (format: "pdf" | "png" | "html", isKnown = false) =>
  takeRenderingSlot({ renderer }, { format }, one, isKnown);

beforeAll(() => {
  renderer = createReportRenderer();
  slots = Array.from({ length: threadLimits.queue }, (_, turn) => take(turn % 2 === 0 ? "pdf" : "png"));
});
afterAll(() => renderer.close());

test("the PDF or PNG one too many is refused before anything is read for it, and told when to come again", () => {
  for (const format of ["pdf", "png"] as const) {
    expect(() => take(format)).toThrow(expect.objectContaining({ code: "unavailable", retryAfterSeconds: 1 }));
  }
});

test("what is made at once, and what the caller has already, needs no place", async () => {
  for (const slot of [take("html"), take("pdf", true)]) expect(await slot.inTurn(async () => "made")).toBe("made");
});

test("models are made one after the other, each in a turn of its own, whatever becomes of those before", async () => {
  const running = new Set<number>();
  const most: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  const tick = () => {
    turn += 1;
    if (most.length < slots.length) setImmediate(tick);
  };
  setImmediate(tick);
  const made = slots.map((slot, number) =>
    slot.inTurn(async () => {
      running.add(number);
      most.push(running.size);
      turns.push(turn);
      await Promise.resolve();
      running.delete(number);
      if (number === 1) throw new Error("not found");
      return number;
    }),
  );
  const outcomes = await Promise.allSettled(made);
  expect(outcomes.map(({ status }) => status)).toEqual(slots.map((_, n) => (n === 1 ? "rejected" : "fulfilled")));
  expect(most).toEqual(slots.map(() => 1));
  expect(new Set(turns).size).toBe(slots.length);
});

test("a place that is left can be taken again, and leaving it twice frees no other", () => {
  const [first] = slots;
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  const again = take("pdf");
  expect(() => take("pdf")).toThrow(expect.objectContaining({ code: "unavailable" }));
  again[Symbol.dispose]();
});
