// Pulls the message through the transport, now that the caller is known and may make the call. No slot is held
// meanwhile, and the time that the message takes to arrive is not the implementation's.
import { create, type DescMessage } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema, timestampMs } from "@bufbuild/protobuf/wkt";
import { isBrowserScope, maxBytesOf } from "../../kernel/calls/core.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { notFound, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isStorableTime } from "../../kernel/formats.ts";
import { CallDeadline, type Interceptor, type PipelineCall } from "../call.ts";

const defaultTimeoutMs = 10_000;

/** Violations of the times in a request. A binary message has some that no `Date` and no row holds. */
function timeViolations({ fields }: DescMessage, message: object): Violation[] {
  return fields.flatMap(({ message: type, localName, jsonName }) => {
    if (type?.typeName !== TimestampSchema.typeName) return [];
    const time = (message as Readonly<Record<string, Timestamp | undefined>>)[localName];
    if (time === undefined || isStorableTime(timestampMs(time))) return [];
    return [{ path: [jsonName], code: "out_of_range", detail: "A time lies in the years 1970 to 9999." }];
  });
}

/**
 * Reads the message within the limits of its rpc, and starts the deadline of the call: the caller's own, 30 s at most
 * unless more is granted, or 10 s if it says nothing.
 * @param monotonic milliseconds. @param now seconds of the clock that observation begins with
 */
export function readMessage(monotonic: MonotonicClock, now: () => number, maxTimeoutMs = 30_000): Interceptor {
  const begin = (call: PipelineCall, message: unknown) => {
    const { timeoutMs } = call.incoming;
    const spentMs = (now() - call.startedAt) * 1000;
    const limitMs = timeoutMs === undefined ? defaultTimeoutMs : Math.min(timeoutMs - spentMs, maxTimeoutMs);
    call.message = create(call.method.input, message as never);
    refuseIfAny(timeViolations(call.method.input, call.message as object));
    call.deadline = new CallDeadline(monotonic(), limitMs);
  };
  return {
    name: "read-message",
    enter(call) {
      const { incoming, scope, origin, caller } = call;
      const sender = { knownAs: caller, address: origin.address };
      const message = incoming.read({ maxBytes: maxBytesOf(scope), sender });
      if (!(message instanceof Promise)) return begin(call, message);
      return message.then((arrived) => begin(call, arrived));
    },
    leave: (call) => call.deadline?.end(),
  };
}

/** Holds calls of pages to the session of their browser session: a message that names another one finds nothing. */
export function requireBoundSession(): Interceptor {
  return {
    name: "require-bound-session",
    enter({ scope, message, boundSession }) {
      if (!isBrowserScope(scope)) return;
      const { sessionId } = message as { readonly sessionId?: string };
      if (sessionId !== boundSession?.id) throw notFound();
    },
  };
}
