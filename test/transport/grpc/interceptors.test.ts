// The order of the checks: what every call passes before it reaches the implementation.

import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { IncomingCall } from "../../../src/kernel/calls/core.ts";
import { RateLimit } from "../../../src/kernel/limits/rate-limit.ts";
import type { CallTracing } from "../../../src/kernel/telemetry.ts";
import { ClientUses, TokenResolver } from "../../../src/pipeline/auth/token.ts";
import { PipelineCall } from "../../../src/pipeline/call.ts";
import { readMessage } from "../../../src/pipeline/interceptors/admit.ts";
import { createAdmission } from "../../../src/pipeline/limits/admission.ts";
import { StrangerLimit } from "../../../src/pipeline/limits/stranger-limit.ts";
import { pipelineInterceptors } from "../../../src/process/core.ts";
import { openTestStores } from "../../support/databases/stores.ts";

async function namesOf(tracing?: CallTracing): Promise<string[]> {
  const stores = await openTestStores();
  onTestFinished(() => stores.close());
  const quota = { requests: 1, seconds: 60 };
  const limit = new RateLimit(quota, () => 0);
  const strangers = new StrangerLimit(quota, () => 0);
  const interceptors = pipelineInterceptors({
    ...stores,
    clock: () => 0,
    monotonic: () => 0,
    tracing,
    resolver: new TokenResolver(stores.identities, { clock: () => 0, monotonic: () => 0 }),
    limits: { partners: limit, clients: limit, strangers, tokenRequests: limit, hostedSessions: limit },
    clientUses: new ClientUses(stores.identities),
    admission: createAdmission(readConfig({}), () => 0),
  });
  return interceptors.map(({ name }) => name);
}

test("whose trace is believed is asked as soon as the sender is known, and of nobody where there are no traces", async () => {
  const follow = () => {
    throw new Error("nothing is called");
  };
  const names = await namesOf({ sample: follow, follow });
  expect(names.slice(0, 5)).toEqual([
    "sample-trace",
    "trust-gateway",
    "follow-gateway",
    "authenticate",
    "follow-internal",
  ]);
});

test("a caller is known and counted before its message is read, and holds no place until it was", async () => {
  expect(await namesOf()).toEqual([
    "trust-gateway",
    "authenticate",
    "check-admission",
    "read-message",
    "require-bound-session",
    "validate",
    "admit",
  ]);
});

describe("how long an implementation may go on", () => {
  test.each([
    ["10 s if its caller does not say", undefined, 0, 10_000],
    ["as long as its caller grants", 1_000, 0, 1_000],
    ["30 s at most, whatever its caller grants", 3_600_000, 0, 30_000],
    ["what the arrival of the message has left of the caller's time", 2_000, 0.5, 1_500],
    ["10 s, however long the message took, if its caller does not say", undefined, 14, 10_000],
    ["no time at all if the message took all of it", 1_000, 2, -1_000],
  ])("is %s", async (_name, timeoutMs, secondsToArrive, expected) => {
    const nowMs = 1_700_000_000_000;
    const method = SessionService.method.getSession;
    const origin = { transport: "grpc", address: "", requestId: "", traceparent: undefined, isTrusted: false } as const;
    const incoming = { method, origin, timeoutMs, header: () => undefined, read: () => ({}) };
    const startedAt = nowMs - 1_000 * secondsToArrive;
    const call = new PipelineCall(incoming as unknown as IncomingCall, "none", startedAt);
    const interceptor = readMessage(() => nowMs);
    await interceptor.enter(call);
    onTestFinished(() => interceptor.leave?.(call, undefined));
    expect(Math.round((call.deadline?.at ?? 0) - nowMs)).toBe(expected);
  });
});
