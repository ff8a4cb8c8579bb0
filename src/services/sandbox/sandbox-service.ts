// SandboxService: messages in, use cases of the domain, messages out.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { deadlineOf, principalOf } from "../../pipeline/context-values.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import type { SessionDeps } from "../sessions/sessions.ts";
import { autofillSession } from "./autofill.ts";
import { getTestClock, inTimeOf, setTestClock, type TestClockDeps, type TestClockView } from "./test-clock.ts";

/** The implementation of SandboxService. */
export function sandboxService(deps: SessionDeps & TestClockDeps): ServiceImpl<typeof SandboxService> {
  return {
    async autofillSession({ product, sessionId: id, persona }, context) {
      const sessionId = id.toLowerCase();
      const { partnerId } = principalOf(context);
      const address = { partnerId, product, sessionId };
      const inTime = await inTimeOf(deps, partnerId, deadlineOf(context).signal);
      return { sessionId, recorded: await autofillSession(inTime, address, persona, deadlineOf(context)) };
    },

    async getTestClock(_request, context) {
      return { clock: toMessage(await getTestClock(deps, principalOf(context).partnerId, deadlineOf(context))) };
    },

    async setTestClock({ now }, context) {
      const time = now === undefined ? null : timestampDate(now);
      return { clock: toMessage(await setTestClock(deps, principalOf(context).partnerId, time, deadlineOf(context))) };
    },
  };
}

function toMessage({ now, aheadMs }: TestClockView) {
  return { now: toTimestamp(now), aheadSeconds: Math.round(aheadMs / 1000) };
}
