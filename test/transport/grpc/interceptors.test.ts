// How long an implementation may go on: its caller's time, less what its message took to arrive.

import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { CallContext, type CallHead } from "../../../src/kernel/calls/core.ts";
import { PipelineCall } from "../../../src/pipeline/call.ts";
import { startDeadline } from "../../../src/pipeline/pipeline.ts";

test.each([
  ["10 s if its caller does not say", undefined, 0, 10_000],
  ["as long as its caller allows", 1_000, 0, 1_000],
  ["30 s at most, whatever its caller allows", 3_600_000, 0, 30_000],
  ["what the arrival of the message has left of the caller's time", 2_000, 0.5, 1_500],
  ["10 s, however long the message took, if its caller does not say", undefined, 14, 10_000],
  ["no time at all if the message took all of it", 1_000, 2, -1_000],
])("an implementation may run for %s", async (_name, timeoutMs, secondsToArrive, expected) => {
  const nowMs = 1_700_000_000_000;
  const method = SessionService.method.getSession;
  const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;
  const head: CallHead = { origin, timeoutMs, context: new CallContext(), header: () => undefined };
  const startedAt = nowMs - 1_000 * secondsToArrive;
  const call = new PipelineCall(method, head, "none", startedAt);
  const interceptor = startDeadline(() => nowMs);
  await interceptor(call);
  onTestFinished(() => call.deadline?.[Symbol.dispose]());
  expect(Math.round((call.deadline?.endsAt ?? 0) - nowMs)).toBe(expected);
});
