// Large pages, and pages of exports, take the processor for long: few are made at a time, and no other call waits for them.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { ExportService } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import type { CallHead } from "../../src/kernel/calls/core.ts";
import { CallDeadline, PipelineCall } from "../../src/pipeline/call.ts";
import { createCallSlots, takeSlot } from "../../src/pipeline/limits/slots.ts";

const limits = { DATABASE_POOL_SIZE: 8, MAX_CONCURRENT_CALLS: 16, MAX_CONCURRENT_CALLS_PER_CLIENT: 8 };
const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;

/** Calls of one rpc in a process. */
function newCalls(method: DescMethodUnary) {
  const callSlots = createCallSlots(limits);
  const interceptor = takeSlot({ callSlots, resolver: { findCached: () => undefined } });
  const begin = (partner: string, client: string, pageSize: number) => {
    const call = new PipelineCall(method, { origin } as unknown as CallHead, "events:read", 0);
    const deadline = new CallDeadline(0, 60_000);
    onTestFinished(() => deadline[Symbol.dispose]());
    Object.assign(call, { deadline, message: { pageSize }, caller: { partner, client } });
    return { call, admitted: Promise.resolve(interceptor(call)) };
  };
  return { callSlots, begin };
}

test.each([21, 0])(
  "a partner's second page of %i elements waits for the first, and no other call does",
  async (large) => {
    const { callSlots, begin } = newCalls(SessionService.method.listSessions);
    const first = begin("a", "one", 200);
    await first.admitted;
    const second = begin("a", "two", large);
    for (const other of [begin("a", "one", 20), begin("b", "three", 200)]) await other.admitted;
    expect([second.call.slot, callSlots.running.state.running]).toEqual([undefined, 3]);
    first.call.releaseSlot();
    await second.admitted;
    expect(second.call.slot).toBeDefined();
    expect(callSlots.running.state).toEqual({ running: 3, waiting: 0 });
  },
);

test.each([ExportService.method.exportSessions, ExportService.method.exportSubject])(
  "a partner makes two pages at a time with $name and all partners four; the others wait, and partners take turns",
  async (method) => {
    const { callSlots, begin } = newCalls(method);
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const pages = [..."aaaabcd"].map((partner) => {
      const { call, admitted } = begin(partner, partner, 10);
      return admitted.then(async () => {
        order.push(partner);
        await gate.promise;
        call.releaseSlot();
      });
    });
    await new Promise(setImmediate);
    expect([order.join(""), callSlots.running.state.running]).toEqual(["aabc", 4]);
    gate.resolve();
    await Promise.all(pages);
    expect(order.join("")).toBe("aabcada");
  },
);

test("a page that has waited for its turn is not refused because other calls wait too, and one that has not waited is", async () => {
  const { callSlots, begin } = newCalls(ExportService.method.exportSessions);
  const gate = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const runOther = (partner: number) =>
    callSlots.running.run({ partner: `${partner}`, client: "" }, signal, () => gate.promise);
  const pages = Array.from({ length: 3 }, () => begin("a", "one", 10));
  await Promise.all(pages.slice(0, 2).map(({ admitted }) => admitted));
  const others = Array.from({ length: 14 + 64 }, (_, index) => runOther(index));
  const refused = [runOther(100), begin("b", "two", 10).admitted];
  await Promise.all(refused.map((each) => expect(each).rejects.toThrow("busy")));
  pages[0]?.call.releaseSlot();
  const last = runOther(100);
  await new Promise(setImmediate);
  gate.resolve();
  await Promise.all([...others, last, pages[2]?.admitted]);
});

test("a call that has waited outside takes the slot of its large page again", async () => {
  const { callSlots, begin } = newCalls(SessionService.method.listSessions);
  const first = begin("a", "one", 200);
  await first.admitted;
  const second = begin("a", "two", 200);
  const back = first.call.runWithoutSlot(() => second.admitted);
  await new Promise(setImmediate);
  expect([first.call.slot, callSlots.running.state.running]).toEqual([undefined, 1]);
  second.call.releaseSlot();
  await back;
  const third = begin("a", "two", 200);
  expect([third.call.slot, callSlots.running.state.running]).toEqual([undefined, 1]);
  first.call.releaseSlot();
  await third.admitted;
});
