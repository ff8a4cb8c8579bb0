// SandboxService: messages in, use cases of the domain, messages out.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { autofillSession } from "../../domain/sandbox/autofill.ts";
import {
  getTestClock,
  inTimeOf,
  setTestClock,
  type TestClockDeps,
  type ToldTime,
} from "../../domain/sandbox/test-clock.ts";
import type { SessionDeps } from "../../domain/sessions/sessions.ts";
import { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { type Handlers, implement, principalOf } from "../../pipeline/implementation.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

/** The implementation of SandboxService. */
export function sandboxService(deps: SessionDeps & TestClockDeps): Handlers {
  return implement(SandboxService, {
    async autofillSession({ product, sessionId: id, persona }, call) {
      const sessionId = id.toLowerCase();
      const { partnerId } = principalOf(call);
      const address = { partnerId, product, sessionId };
      const inTime = await inTimeOf(deps, partnerId, call.deadline.signal);
      return { sessionId, recorded: await autofillSession(inTime, address, persona, call.deadline) };
    },

    async getTestClock(_request, call) {
      return { clock: toMessage(await getTestClock(deps, principalOf(call).partnerId, call.deadline)) };
    },

    async setTestClock({ now }, call) {
      const time = now === undefined ? null : timestampDate(now);
      return { clock: toMessage(await setTestClock(deps, principalOf(call).partnerId, time, call.deadline)) };
    },
  });
}

function toMessage({ now, aheadMs }: ToldTime) {
  return { now: toTimestamp(now), aheadSeconds: Math.round(aheadMs / 1000) };
}
