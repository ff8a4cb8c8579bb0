// Checks of calls whose message was read, before they take a slot: their deadline, their session, their values.
import type { DescMessage } from "@bufbuild/protobuf";
import { type Check, messageCheck } from "../json/bounds.ts";
import { isBrowserScope } from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import { invalidRequest, notFound, unknownProduct } from "../kernel/errors/refusal.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { isProduct } from "../kernel/ids.ts";
import { CallDeadline, type Interceptor, type PipelineCall } from "./call.ts";

const defaultTimeoutMs = 10_000;

/**
 * Starts the deadline of a call whose message has arrived: the caller's own, at most 30 s unless the rpc allows more, or
 * 10 s by default.
 */
export function startDeadline(monotonic: MonotonicClock, maxTimeoutMs = 30_000): Interceptor {
  return (call) => {
    const { timeoutMs } = call.head;
    const now = monotonic();
    const remainingMs = (timeoutMs ?? 0) - (now - call.startedAt);
    const limitMs = timeoutMs === undefined ? defaultTimeoutMs : Math.min(remainingMs, maxTimeoutMs);
    call.deadline = new CallDeadline(now, limitMs);
  };
}

/** Limits calls of pages to the session of their browser session: any other session is not found. */
export function limitToBoundSession({ scope, message, browserSession }: PipelineCall): void {
  if (!isBrowserScope(scope)) return;
  const { sessionId } = message as { readonly sessionId?: string };
  if (sessionId !== browserSession?.sessionId) throw notFound();
}

/** Refuses messages with values out of the bounds of the protos. The checks of a message type are made by its first call. */
export function validate(): Interceptor {
  // At most one for each message type of the protos.
  const checks = new Map<DescMessage, Check>();
  return ({ method: { input }, message }) => {
    const check = checks.get(input) ?? messageCheck(input) ?? passAll;
    checks.set(input, check);
    const violations = check(message as never, []);
    if (violations.length === 0) return;
    const { product } = message as { readonly product?: string };
    throw !product || isProduct(product) ? invalidRequest(violations) : unknownProduct();
  };
}

function passAll(): readonly Violation[] {
  return [];
}
