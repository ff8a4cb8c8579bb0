// The end of a call: each part that it passed ends once, whatever another one throws, and its caller gets the response.
import { expect, test } from "vitest";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import type { IncomingCall } from "../../src/kernel/calls/core.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { CallDeadline, createPipeline, type Interceptor } from "../../src/pipeline/pipeline.ts";

const method = TokenService.method.getPublicKeys;
const incoming = { method, origin: { transport: "rest", address: "192.0.2.1" } } as unknown as IncomingCall<
  typeof method
>;

/** A pipeline of three interceptors, of which the second one throws at the end, as the observer does. */
function brokenPipeline(handler: () => Promise<object>) {
  const ended: string[] = [];
  const defects: unknown[] = [];
  const interceptor = (name: string, isBroken = false): Interceptor => ({
    enter(call) {
      call.deadline ??= new CallDeadline(0, 60_000);
    },
    leave(call) {
      call.deadline?.end();
      ended.push(name);
      if (isBroken) throw new Error(name);
    },
  });
  const core = createPipeline({
    handlers: new Map([[method, handler as never]]),
    interceptors: [interceptor("first"), interceptor("second", true), interceptor("third")],
    monotonic: () => 0,
    pacing: async () => undefined,
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
  expect(await core.call(incoming)).toMatchObject({ keys: [] });
  expect(ended).toEqual(["third", "second", "first", "ok"]);
  expect(defects).toEqual(["second", "observer"]);
});

test("a refusal stays one, and everything ends once", async () => {
  const { core, ended, defects } = brokenPipeline(async () => {
    throw new Refusal("not_found", "There is no such thing.");
  });
  await expect(core.call(incoming)).rejects.toMatchObject({ code: "not_found" });
  expect(ended).toEqual(["third", "second", "first", "not_found"]);
  expect(defects).toEqual(["second", "observer"]);
});
