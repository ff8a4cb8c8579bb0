// Large pages take the processor for long: a partner has one at a time, and nobody else waits for it.
import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import type { CallHead } from "../../src/kernel/calls/core.ts";
import type { TokenResolver } from "../../src/pipeline/auth/token.ts";
import { CallDeadline, PipelineCall } from "../../src/pipeline/call.ts";
import { createAdmission, takeSlot } from "../../src/pipeline/limits/slots.ts";

const limits = { DATABASE_POOL_SIZE: 8, MAX_CONCURRENT_CALLS: 16, MAX_CONCURRENT_CALLS_PER_CLIENT: 8 };
const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;

test.each([21, 0])(
  "a partner's second page of %i elements waits for the first, and no other call does",
  async (large) => {
    const method = SessionService.method.listSessions;
    const admission = createAdmission(limits);
    const interceptor = takeSlot(admission, {} as TokenResolver);
    const begin = (partner: string, client: string, pageSize: number) => {
      const call = new PipelineCall(method, { origin } as unknown as CallHead, "events:read", 0);
      const deadline = new CallDeadline(0, 60_000);
      onTestFinished(() => deadline[Symbol.dispose]());
      Object.assign(call, { deadline, message: { pageSize }, caller: { partner, client } });
      return { call, admitted: Promise.resolve(interceptor(call)) };
    };
    const first = begin("a", "one", 200);
    await first.admitted;
    const second = begin("a", "two", large);
    for (const other of [begin("a", "one", 20), begin("b", "three", 200)]) await other.admitted;
    expect([second.call.slot, admission.state.running]).toEqual([undefined, 3]);
    first.call.releaseSlot();
    await second.admitted;
    expect(second.call.slot).toBeDefined();
    expect(admission.state).toEqual({ running: 3, waiting: 0 });
  },
);
