// The thread keeps its limits, says so in one kind of error, and goes on afterwards.
import { afterEach, expect, test } from "vitest";
import schema from "../../src/products/values-bridge/definition/definition.schema.json" with { type: "json" };
import type { RenderingTask } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import {
  createRenderingThread,
  type RenderingThread,
  type ThreadLimits,
  threadLimits,
} from "../../src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

const open: RenderingThread[] = [];
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close();
});

/** Has more time than the service's own: on a busy machine a full queue takes longer, and that is not what is tested. */
const patient: ThreadLimits = { ...threadLimits, taskMs: 100_000 };

function threadWith(limits: Partial<ThreadLimits> = {}): RenderingThread {
  const thread = createRenderingThread({ ...patient, ...limits });
  open.push(thread);
  return thread;
}

const model = reportWith({ 1: [24, 12], 2: [10, 20] });
const task: RenderingTask = { model, branding: neutralBranding, format: "pdf", paper: "a4" };

/** How the calls came out: `ok`, or the reason of the error. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((each) => {
    if (each.status === "fulfilled") return "ok";
    const { code, cause } = each.reason;
    return cause === undefined ? code : cause.message.replace("reports cannot be rendered right now: ", "");
  });
}

test("a request for a report that takes too long fails in time, and the next one is rendered", async () => {
  const thread = threadWith({ taskMs: 2_000 });
  await untilRendered(thread);
  // To break so many words into lines takes longer.
  const endless = { ...task, model: { ...model, introduction: "word ".repeat(1_000_000) } };
  expect(await outcomes([thread.render(endless)])).toEqual(["timeout"]);
  await untilRendered(thread);
});

/** Resolves when a report was rendered: on a busy machine, the start of a thread may take longer than the limit. */
async function untilRendered(thread: RenderingThread): Promise<void> {
  while ((await outcomes([thread.render(task)]))[0] !== "ok");
}

/** A report with more values than an assessment can have. */
function reportOf(count: number): RenderingTask {
  const values = Array.from({ length: count }, (_, index) => ({ ...valueAt(index), valueId: index }));
  const groups = [{ group: "asWanted" as const, title: "All", valueIds: values.map(({ valueId }) => valueId) }];
  return { ...task, model: { ...model, values, differences: { ...model.differences, groups } } };
}

function valueAt(index: number) {
  const value = model.values[index % model.values.length];
  if (value === undefined) throw new Error("there are no values");
  return value;
}

test("the largest report there can be is rendered within the limits", async () => {
  expect(await outcomes([threadWith().render(reportOf(schema.properties.values.maxItems))])).toEqual(["ok"]);
});

test("a thread that runs out of memory fails its report, and the next one is rendered by another", async () => {
  const thread = threadWith({ oldSpaceMb: 48, taskMs: 60_000 });
  await thread.render(task);
  const sharing = Array.from({ length: 3_000_000 }, (_, index) => `${index}`);
  expect(await outcomes([thread.render({ ...task, model: { ...model, sharing } })])).toEqual(["thread_lost"]);
  expect(await outcomes([thread.render(task)])).toEqual(["ok"]);
});

test("closing gives up the tasks under way, and accepts no more", async () => {
  const thread = threadWith();
  await thread.render(task);
  const underWay = outcomes([thread.render(task)]);
  await thread.close();
  expect([await underWay, await outcomes([thread.render(task)])]).toEqual([["stopped"], ["stopped"]]);
});

test("a poster of answers that choose no value fails", async () => {
  const call = threadWith().render({ ...task, model: reportWith({}), format: "png", picture: "poster" });
  expect(await outcomes([call])).toEqual(["not_acceptable"]);
});
