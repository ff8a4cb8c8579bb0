// The clock of a test twin: ahead of the service's clock by as much as the partner has moved it. It is the clock of the
// twin's sessions. What protects or records uses the service's clock: tokens, links, limits, leases, the audit log and the
// positions of events.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { NIL } from "uuid";
import type { SetTestClockRequest } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { dayMs } from "../../kernel/environment.ts";
import { invalidFieldError, Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { Interceptor, PartnerCall, SessionCall, SessionTime } from "../../pipeline/call.ts";
import { readAllRows } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";

/** Ten years: enough for the longest lifetime of a session, and for years of further moves. */
const maxAheadMs = 10 * 366 * dayMs;

/** Gives every call the time of its partner's sessions. */
export function setSessionTime(deps: Dependencies): Interceptor {
  return (call) => {
    call.now = deps.clock;
    const { partnerId } = call.principal ?? call.browserSession ?? {};
    if (partnerId === undefined || !isTestTwin(partnerId)) return;
    return findSessionTime(deps, partnerId, call.signal).then((time) => void Object.assign(call, time));
  };
}

/** The time of a partner's sessions. A twin's clock is read every time, so every process uses the same. */
export async function findSessionTime(
  { testClocks, clock }: Dependencies,
  partnerId: string,
  signal: AbortSignal,
): Promise<SessionTime> {
  const testClock = isTestTwin(partnerId) ? await testClocks.findTestClock(partnerId, signal) : undefined;
  const { aheadMs } = testClock ?? { aheadMs: 0 };
  return { now: () => clock() + aheadMs, aheadMs };
}

/** The time of a twin's clock. Throws `permission_denied` unless the partner is a test twin. */
export function getTestClock({ clock }: Dependencies, { partnerId, aheadMs }: SessionCall) {
  requireTestTwin(partnerId);
  return toClockResponse(clock(), aheadMs);
}

/**
 * Moves a twin's clock, which runs on from there, or resets it to the service's clock. Expiries and days of steps up
 * to then are announced. Throws `permission_denied` unless the partner is a test twin, and `invalid_request`.
 */
export async function setTestClock(
  deps: Dependencies,
  request: Pick<SetTestClockRequest, "now">,
  { partnerId, signal }: PartnerCall,
) {
  requireTestTwin(partnerId);
  const serviceNow = deps.clock();
  if (request.now === undefined) {
    await deps.testClocks.deleteTestClock(partnerId, signal);
    return toClockResponse(serviceNow, 0);
  }
  const now = timestampDate(request.now);
  const aheadMs = now.getTime() - serviceNow;
  if (!(aheadMs > 0 && aheadMs <= maxAheadMs)) {
    const detail = "A test clock is ahead of the time, by ten years at most. Leave it out to go back to the time.";
    throw invalidFieldError(["now"], "out_of_range", detail);
  }
  await deps.testClocks.saveTestClock({ partnerId, aheadMs }, signal);
  const size = deps.batchSizes.expirations;
  const read = (last: string = NIL) => deps.testClocks.listDue(partnerId, now, last, size, signal);
  for await (const id of readAllRows(size, read)) await deps.sessions.announceDue({ partnerId, id }, now, signal);
  return toClockResponse(serviceNow, aheadMs);
}

function toClockResponse(serviceNow: number, aheadMs: number) {
  return { clock: { now: new Date(serviceNow + aheadMs), aheadSeconds: Math.round(aheadMs / 1000) } };
}

/** Throws `permission_denied` unless the partner is a test twin. */
export function requireTestTwin(partnerId: string): void {
  if (isTestTwin(partnerId)) return;
  throw new Refusal("permission_denied", "Only credentials of a test twin allow this.");
}
