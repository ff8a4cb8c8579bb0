// Shares of PDF and PNG: whoever asks for many keeps nobody else from theirs.
import { expect, test } from "vitest";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import {
  type RenderingClaimant,
  type RenderingSlot,
  renderingUnavailable,
} from "../../src/products/values-bridge/report/rendering.ts";
import { FairTurns } from "../../src/products/values-bridge/report-rendering/fair-turns.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { RenderingSlots } from "../../src/products/values-bridge/report-rendering/slots.ts";
import { createRenderingThread, threadLimits } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

const flooder = { partnerId: "a", caller: "client 1" };
const other = { partnerId: "b", caller: "client 2" };

function take(slots: RenderingSlots, claimant: RenderingClaimant, count: number): (RenderingSlot | undefined)[] {
  return Array.from({ length: count }, () => {
    try {
      return slots.take(claimant);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  });
}

/** Whether each of the slots was had, and is still. */
const held = (slots: readonly (RenderingSlot | undefined)[]) => slots.map((slot) => slot?.signal.aborted === false);
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

test("one client floods, and another has ten places of ten: the newest of the flooder go", async () => {
  const slots = new RenderingSlots(threadLimits.queue);
  const many = take(slots, flooder, 100);
  expect(held(many)).toEqual([...times(24, true), ...times(76, false)]);
  const ten = take(slots, other, 10);
  expect(held(ten)).toEqual(times(10, true));
  expect(held(many)).toEqual([...times(14, true), ...times(86, false)]);
  expect(held(take(slots, flooder, 10))).toEqual(times(10, false));
  expect(held(ten)).toEqual(times(10, true));
  // Whoever has lost a slot hears so at once, whatever stands before them.
  const never = ten[0]?.inTurn(() => new Promise(() => undefined));
  await expect(many[20]?.inTurn(async () => "made")).rejects.toMatchObject({ code: "unavailable" });
  expect(never).toBeInstanceOf(Promise);
});

test("many callers of one partner have no more than the few of another, and share evenly among themselves", () => {
  const slots = new RenderingSlots(24);
  const people = Array.from(
    { length: 24 },
    (_, index) => take(slots, { partnerId: "a", caller: `session ${index}` }, 1)[0],
  );
  expect(held(take(slots, other, 12))).toEqual(times(12, true));
  expect(held(people).filter(Boolean)).toHaveLength(12);
  expect(held(take(slots, other, 1))).toEqual([false]);
  const shared = new RenderingSlots(6);
  const all = take(shared, flooder, 6);
  expect(held(take(shared, { partnerId: "a", caller: "a session" }, 4))).toEqual([true, true, true, false]);
  expect(held(all)).toEqual([true, true, true, false, false, false]);
});

test("a place that was lost frees no other when it is left", () => {
  const slots = new RenderingSlots(2);
  const [, lost] = take(slots, flooder, 2);
  take(slots, other, 1);
  lost?.[Symbol.dispose]();
  expect(held(take(slots, flooder, 1))).toEqual([false]);
});

test("partners take turns, and so do the callers of each; what is taken out has none", () => {
  const turns = new FairTurns<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) turns.add(flooder, item);
  turns.add({ ...flooder, caller: "session" }, "s1");
  for (const item of ["b1", "b2"]) turns.add(other, item);
  turns.remove(flooder, "a3");
  turns.remove(other, "a1");
  const order = Array.from({ length: 7 }, () => turns.next());
  expect(order).toEqual(["a1", "b1", "s1", "b2", "a2", "a4", undefined]);
});

test("while one client floods the thread, each of another's ten is rendered before the flooder's tenth", async () => {
  const order: string[] = [];
  const thread = createRenderingThread({ ...threadLimits, taskMs: 100_000 });
  const renderer = createReportRenderer(thread);
  const model = reportWith({ 1: [24, 12], 2: [10, 20] });
  const render = async (claimant: RenderingClaimant, sessionId: string) => {
    using slot = renderer.takeSlot("png", claimant);
    const request = { model: { ...model, sessionId }, format: "png" as const, branding: neutralBranding };
    await renderer.renderReport(request, slot);
    order.push(claimant.caller);
  };
  const many = Promise.allSettled(Array.from({ length: 40 }, (_, index) => render(flooder, `1 ${index}`)));
  const ten = Array.from({ length: 10 }, (_, index) => render(other, `2 ${index}`));
  await Promise.all(ten);
  const before = order.filter((caller) => caller === flooder.caller).length;
  expect(before).toBeLessThanOrEqual(11);
  const reasons = (await many).map((each) => (each.status === "rejected" ? String(each.reason.cause) : "rendered"));
  expect(reasons).toEqual([
    ...times(14, "rendered"),
    ...times(26, "Error: reports cannot be rendered right now: queue_full"),
  ]);
  await renderer.close();
});

test("whoever wants the same report as somebody who lost their place has it all the same", async () => {
  const gate = Promise.withResolvers<void>();
  const tasks: string[] = [];
  const renderer = createReportRenderer({
    async render({ model }, turn) {
      await gate.promise;
      if (turn?.signal.aborted) throw renderingUnavailable("queue_full");
      tasks.push("sessionId" in model ? (model.sessionId ?? "") : "");
      return new Uint8Array(1);
    },
    close: async () => undefined,
  });
  const model = reportWith({ 1: [24, 12], 2: [10, 20] });
  const render = async (claimant: RenderingClaimant, sessionId: string) => {
    using slot = renderer.takeSlot("pdf", claimant);
    const request = { model: { ...model, sessionId }, format: "pdf" as const, branding: neutralBranding };
    return (await renderer.renderReport(request, slot)).body.byteLength;
  };
  const many = Promise.allSettled(Array.from({ length: 24 }, (_, index) => render(flooder, `${index}`)));
  const same = [render(other, "23"), render(other, "22")];
  gate.resolve();
  expect(await Promise.all(same)).toEqual([1, 1]);
  const lost = (await many).filter(({ status }) => status === "rejected");
  expect([lost.length, tasks.length]).toEqual([2, 24]);
});
