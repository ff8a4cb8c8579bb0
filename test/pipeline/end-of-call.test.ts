// The end of a call: each part that it passed ends once, whatever another one throws, and its caller gets the response.
import { expect, test } from "vitest";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { CallFacts, type CallHead, makeCall } from "../../src/kernel/calls/core.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { CallDeadline } from "../../src/pipeline/call.ts";
import { createPipeline } from "../../src/pipeline/pipeline.ts";

const method = TokenService.method.getPublicKeys;
const origin = { transport: "rest", address: "192.0.2.1" };
const head = { origin, facts: new CallFacts() } as unknown as CallHead;

/** A pipeline whose observer throws at the end of a call, which has a slot. */
function brokenPipeline(handler: () => Promise<object>) {
  const ended: string[] = [];
  const defects: unknown[] = [];
  const core = createPipeline({
    handlers: new Map([[method, handler as never]]),
    beforeMessage: [],
    afterMessage: [
      (call) => {
        call.deadline = new CallDeadline(0, 60_000);
        call.slot = { [Symbol.dispose]: () => ended.push("slot") };
      },
    ],
    monotonic: () => 0,
    reportDefect: (defect) => defects.push((defect as Error).message),
    observer({ outcome }) {
      ended.push(outcome);
      throw new Error("observer");
    },
  });
  return { core, ended, defects };
}

test("a success stays one, and everything ends once", async () => {
  const { core, ended, defects } = brokenPipeline(async () => ({ keys: [] }));
  expect(await makeCall(core, method, head, () => ({}))).toMatchObject({ keys: [] });
  expect([ended, defects]).toEqual([["slot", "ok"], ["observer"]]);
});

test("a refusal stays one, and everything ends once", async () => {
  const { core, ended, defects } = brokenPipeline(async () => {
    throw new Refusal("not_found", "There is no such thing.");
  });
  await expect(makeCall(core, method, head, () => ({}))).rejects.toMatchObject({ code: "not_found" });
  expect([ended, defects]).toEqual([["slot", "not_found"], ["observer"]]);
});
