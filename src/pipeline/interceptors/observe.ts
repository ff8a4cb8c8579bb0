// Tells of every call that went through the pipeline: the outermost interceptor, so that refused calls are seen too.

import { Refusal } from "../../kernel/errors/refusal.ts";
import { type CallEvent, outcomeOf } from "../../kernel/telemetry/call-event.ts";
import type { Interceptor } from "../interceptor.ts";

/** Reports each call to the observer. @param now seconds of a monotonic clock */
export function observe(observer: (event: CallEvent) => void, now: () => number): Interceptor {
  return {
    name: "observe",
    enter(call) {
      call.startedAt = now();
    },
    leave({ method, origin, principal, startedAt, waitedSeconds, span }, error) {
      observer({
        rpc: `${method.parent.name}/${method.name}`,
        transport: origin.transport,
        requestId: origin.requestId,
        traceparent: origin.traceparent,
        span,
        clientId: principal?.clientId,
        partnerId: principal?.partnerId,
        outcome: outcomeOf(error),
        seconds: now() - startedAt - waitedSeconds,
        cause: error instanceof Refusal ? error.cause : undefined,
      });
    },
  };
}
