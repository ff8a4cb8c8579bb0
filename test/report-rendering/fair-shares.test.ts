// Shares of what the thread makes: whoever asks for many keeps nobody else from theirs, and many who ask at once are all served.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Caller } from "../../src/kernel/calls/core.ts";
import type { ReportFormat, ReportRenderer } from "../../src/products/values-bridge/report/report-renderer.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

const flooder: Caller = { partner: "a", client: "client 1" };
const colleague: Caller = { partner: "a", client: "a session" };
const other: Caller = { partner: "b", client: "client 2" };
const model = reportWith({ 1: [24, 12], 2: [10, 20] });
const patient = new AbortController().signal;
const reportAs = (format: ReportFormat) => ({ model, format, branding: neutralBranding });
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** A renderer whose thread tells what it made, when the gate is open. */
function gatedRenderer() {
  const gate = Promise.withResolvers<void>();
  const renderedIds: string[] = [];
  const renderer = createReportRenderer({
    async render({ model: of }) {
      await gate.promise;
      renderedIds.push("sessionId" in of ? (of.sessionId ?? "") : "");
      return new Uint8Array(1);
    },
    close: async () => undefined,
  });
  return { renderer, renderedIds, open: gate.resolve };
}

/** What becomes of a report that somebody asks for: its size, or the reason why there is none. */
async function ask(renderer: ReportRenderer, caller: Caller, sessionId: string, signal = patient) {
  try {
    const request = { model: { ...model, sessionId }, format: "pdf" as const, branding: neutralBranding };
    using _slot = await renderer.takeSlot(request, caller, signal);
    return (await renderer.renderReport(request)).body.byteLength;
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error.message) : "";
  }
}

const askMany = (renderer: ReportRenderer, caller: Caller, count: number) =>
  Array.from({ length: count }, (_, index) => ask(renderer, caller, `${caller.client} ${index}`));

const full = "Error: reports cannot be rendered right now: queue_full";

test("fifty PDFs that are requested at once are all made", async () => {
  const { renderer, open } = gatedRenderer();
  const all = askMany(renderer, flooder, 50);
  open();
  expect(await Promise.all(all)).toEqual(times(50, 1));
});

test("ten reports of one client are all made while another floods, none after the flooder's twelfth, whose newest are refused", async () => {
  const { renderer, renderedIds, open } = gatedRenderer();
  const many = askMany(renderer, flooder, 200);
  const ten = askMany(renderer, other, 10);
  open();
  expect(await Promise.all(ten)).toEqual(times(10, 1));
  expect(renderedIds.filter((id) => id.startsWith(flooder.client)).length).toBeLessThanOrEqual(13);
  expect(await Promise.all(many)).toEqual([...times(98, 1), ...times(102, full)]);
});

test("the clients of a partner take turns as well", async () => {
  const { renderer, renderedIds, open } = gatedRenderer();
  const many = askMany(renderer, flooder, 40);
  const ten = askMany(renderer, colleague, 10);
  open();
  await Promise.all(ten);
  expect(renderedIds.filter((id) => id.startsWith(flooder.client)).length).toBeLessThanOrEqual(13);
  expect(await Promise.all(many)).toEqual(times(40, 1));
});

test("two reports are read at a time, so that one is ready when the one before is rendered", async () => {
  const { renderer } = gatedRenderer();
  const slots = times(3, 0).map(() => renderer.takeSlot(reportAs("png"), other, patient));
  expect(slots.map((slot) => slot instanceof Promise)).toEqual([false, false, true]);
  const [first, , third] = slots;
  if (!(first instanceof Promise)) first?.[Symbol.dispose]();
  expect(await Promise.race([third, "waits"])).not.toBe("waits");
});

test("a report as JSON needs no slot", () => {
  const { renderer } = gatedRenderer();
  for (const slot of times(100, 0).map(() => renderer.takeSlot(reportAs("json"), flooder, patient)))
    expect(slot).not.toBeInstanceOf(Promise);
});

test("what is rendered already is served while every slot is taken and the thread is busy", async () => {
  const never = new Promise<Uint8Array>(() => undefined);
  const results = [Promise.resolve(new Uint8Array(1))];
  const renderer = createReportRenderer({ render: () => results.shift() ?? never, close: async () => undefined });
  expect(await ask(renderer, other, "shared")).toBe(1);
  void askMany(renderer, flooder, 3);
  expect(await Promise.race([ask(renderer, other, "shared"), nextTurn("waits")])).toBe(1);
});

test("a request leaves the queue at its deadline", async () => {
  const { renderer, renderedIds, open } = gatedRenderer();
  const many = askMany(renderer, flooder, 3);
  const impatient = new AbortController();
  const late = ask(renderer, other, "late", impatient.signal);
  impatient.abort(new Error("deadline"));
  expect(await late).toBe("deadline");
  open();
  expect(await Promise.all(many)).toEqual([1, 1, 1]);
  expect(renderedIds).not.toContain("late");
});

test("pages of a partner are rendered one in each turn of the event loop, and a page of another partner with the first", async () => {
  const renderer = createReportRenderer(createRenderingThread());
  const renderedIds: string[] = [];
  const page = async (caller: Caller) => {
    using _slot = await renderer.takeSlot(reportAs("html"), caller, patient);
    await renderer.renderReport(reportAs("html"));
    renderedIds.push(caller.partner);
  };
  const pages = [...times(5, flooder), colleague, other].map(page);
  const turns: number[] = [];
  for (let seen = 0; seen < pages.length; seen = renderedIds.length) {
    await nextTurn();
    if (renderedIds.length > seen) turns.push(renderedIds.length - seen);
  }
  await Promise.all(pages);
  expect(turns).toEqual([2, ...times(5, 1)]);
  expect(renderedIds.slice(0, 2).toSorted()).toEqual(["a", "b"]);
  await renderer.close();
});
