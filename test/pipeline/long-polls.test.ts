// Calls that wait for something to happen: coming back is no refusal.
import { once } from "node:events";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { EventService } from "../../src/gen/assessment/v1/event_service_pb.ts";
import { toNetworkCaller } from "../../src/kernel/calls/caller.ts";
import { CallContext, type CallHead } from "../../src/kernel/calls/core.ts";
import type { TokenResolver } from "../../src/pipeline/auth/token.ts";
import { CallDeadline, PipelineCall } from "../../src/pipeline/call.ts";
import { createAdmission, takeSlot } from "../../src/pipeline/limits/slots.ts";

/** A call that has the only slot there is, for so long. @param observeRefused notified of refusals */
async function callInSlot(limitMs: number, observeRefused?: (reason: string) => void) {
  const limits = { DATABASE_POOL_SIZE: 1, MAX_CONCURRENT_CALLS: 1, MAX_CONCURRENT_CALLS_PER_CLIENT: undefined };
  const admission = createAdmission(limits, observeRefused);
  const interceptor = takeSlot(admission, {} as TokenResolver);
  const method: DescMethodUnary = EventService.method.listEvents;
  const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;
  const head: CallHead = { origin, context: new CallContext(), header: () => undefined };
  const call = new PipelineCall(method, head, "none", 0);
  const deadline = new CallDeadline(performance.now(), limitMs);
  call.message = {};
  call.deadline = deadline;
  onTestFinished(() => deadline[Symbol.dispose]());
  await interceptor(call);
  return { call, deadline, admission };
}

test("a call that is over while it waits takes no slot when its wait ends", async () => {
  const { call, deadline, admission } = await callInSlot(100);
  const { signal } = new AbortController();
  const back = call.runWithoutSlot(async () => {
    if (!deadline.signal.aborted) await once(deadline.signal, "abort");
  });
  await expect(back).rejects.toThrow();
  expect(call.slot).toBeUndefined();
  expect(admission.acquire(toNetworkCaller("another"), signal)).not.toBeInstanceOf(Promise);
});

test("a call that resumes without a free slot is not counted as refused", async () => {
  const refusals: string[] = [];
  const { call, admission } = await callInSlot(60_000, (reason) => refusals.push(reason));
  const { promise, resolve } = Promise.withResolvers<void>();
  const back = call.runWithoutSlot(() => promise);
  // Others take its slot and all room to wait, so that it is not let in at once.
  const { signal } = new AbortController();
  const running = await admission.acquire(toNetworkCaller("running"), signal);
  const others = ["a", "b", "c", "d"];
  const waiting = others.map((name) => admission.run(toNetworkCaller(name), signal, async () => undefined));
  resolve();
  await promise;
  expect(() => admission.check(toNetworkCaller("another"))).toThrow("busy");
  running[Symbol.dispose]();
  await Promise.all([...waiting, back]);
  expect(refusals).toEqual(["full"]);
});
