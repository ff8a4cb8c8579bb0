// Calls that wait for something to happen: how many may, and that coming back is no refusal.
import { once } from "node:events";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { EventService } from "../../src/gen/assessment/v1/event_service_pb.ts";
import { CallContext, type Caller, type CallHead, toCaller, toNetworkCaller } from "../../src/kernel/calls/core.ts";
import { CallDeadline, PipelineCall } from "../../src/pipeline/call.ts";
import { createCallSlots, takeSlot } from "../../src/pipeline/limits/slots.ts";

const resolver = { findCached: () => undefined };
const limits = { DATABASE_POOL_SIZE: 1, MAX_CONCURRENT_CALLS: 1, MAX_CONCURRENT_CALLS_PER_CLIENT: undefined };

/** A call that has the only slot there is, for so long. @param observeRefused notified of refusals */
async function callInSlot(limitMs: number, observeRefused?: (reason: string) => void) {
  const callSlots = createCallSlots(limits, observeRefused);
  const call = newCall(limitMs);
  await takeSlot({ callSlots, resolver })(call);
  return { call, callSlots };
}

function newCall(limitMs: number): PipelineCall {
  const method: DescMethodUnary = EventService.method.listEvents;
  const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;
  const head: CallHead = { origin, context: new CallContext(), header: () => undefined };
  const call = new PipelineCall(method, head, "none", 0);
  const deadline = new CallDeadline(performance.now(), limitMs);
  call.message = {};
  call.deadline = deadline;
  onTestFinished(() => deadline[Symbol.dispose]());
  return call;
}

test("the 257th waiting call of a process is refused", async () => {
  const interceptor = takeSlot({ callSlots: createCallSlots(limits), resolver });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const wait = async (caller: Caller, work: () => Promise<void>) => {
    const call = newCall(60_000);
    call.caller = caller;
    await interceptor(call);
    return { isOver: call.waitOutside("events", work).finally(() => call.releaseSlot()) };
  };
  const waiting: Promise<void>[] = [];
  for (let index = 0; index < 256; index += 1) {
    const caller = toCaller(`partner ${index % 16}`, `client ${index % 32}`);
    waiting.push((await wait(caller, () => promise)).isOver);
  }
  // One that is let in although it should be refused ends at once, so that this test fails and does not hang.
  await expect((await wait(toCaller("b", "other"), async () => undefined)).isOver).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many calls wait for events. Ask without waiting.",
    retryAfterSeconds: 1,
  });
  end();
  await Promise.all(waiting);
});

test("a call that is over while it waits takes no slot when its wait ends", async () => {
  const { call, callSlots } = await callInSlot(100);
  const { signal } = new AbortController();
  const back = call.runWithoutSlot(async () => {
    if (!call.signal.aborted) await once(call.signal, "abort");
  });
  await expect(back).rejects.toThrow();
  expect(call.slot).toBeUndefined();
  expect(callSlots.running.acquire(toNetworkCaller("another"), signal)).not.toBeInstanceOf(Promise);
});

test("a call that resumes without a free slot is not counted as refused", async () => {
  const refusals: string[] = [];
  const { call, callSlots } = await callInSlot(60_000, (reason) => refusals.push(reason));
  const { promise, resolve } = Promise.withResolvers<void>();
  const back = call.runWithoutSlot(() => promise);
  // Others take its slot and all room to wait, so that it is not let in at once.
  const { signal } = new AbortController();
  const running = await callSlots.running.acquire(toNetworkCaller("running"), signal);
  const others = ["a", "b", "c", "d"];
  const waiting = others.map((name) => callSlots.running.run(toNetworkCaller(name), signal, async () => undefined));
  resolve();
  await promise;
  expect(() => callSlots.running.requireSlot(toNetworkCaller("another"))).toThrow("busy");
  running[Symbol.dispose]();
  await Promise.all([...waiting, back]);
  expect(refusals).toEqual(["full"]);
});
