// Checks messages and gives calls their slots, before anything of theirs reaches the database.
import type { DescMessage } from "@bufbuild/protobuf";
import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { type Check, messageCheck } from "../../json/bounds.ts";
import { isBrowserScope } from "../../kernel/calls/core.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { invalidRequest, notFound, unknownProduct } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isProduct } from "../../kernel/ids.ts";
import { type Caller, limitedCaller } from "../../kernel/limits/caller.ts";
import type { Semaphore } from "../../kernel/limits/semaphore.ts";
import type { TokenResolver } from "../auth/token.ts";
import { CallDeadline, type Interceptor, type PipelineCall } from "../call.ts";
import { createLargePages, isLargePage } from "../limits/admission.ts";

/**
 * Requires a slot for every call: one of its client, or of its network if no client is known. An Introspect call of a
 * gateway takes the slot of the client that it asks about. If its result is cached it takes none, and is refused at once
 * if that client's call would be.
 */
export function takeSlot(admission: Semaphore, resolver: TokenResolver): Interceptor {
  const largePages = createLargePages();
  return (call) => {
    const { method, signal } = call;
    if (method === TokenService.method.introspect) {
      const { token, partnerId } = call.message as IntrospectRequest;
      call.caller = resolver.findCached(token)?.caller;
      if (call.caller !== undefined && partnerId === undefined) return admission.check(call.caller);
    }
    const caller = limitedCaller(call.sender);
    call.withoutSlot = async (work) => {
      call.leaveSlot();
      const result = await work();
      await keep(call, admission.retake(caller, signal));
      return result;
    };
    const { pageSize } = call.message as { readonly pageSize?: number };
    const isLarge = pageSize !== undefined && isLargePage(method, pageSize);
    return keep(call, isLarge ? takeBoth(largePages, admission, caller, signal) : admission.take(caller, signal));
  };
}

function keep(call: PipelineCall, slot: Disposable | Promise<Disposable>): undefined | Promise<void> {
  if (slot instanceof Promise) {
    return slot.then((freeSlot) => {
      call.slot = freeSlot;
    });
  }
  call.slot = slot;
  return undefined;
}

async function takeBoth(first: Semaphore, then: Semaphore, caller: Caller, signal: AbortSignal): Promise<Disposable> {
  using slots = new DisposableStack();
  slots.use(await first.take(caller, signal));
  slots.use(await then.take(caller, signal));
  return slots.move();
}

/**
 * Refuses a call of a known client that `takeSlot` would refuse, before its message is read. Takes no slot.
 */
export function requireFreeSlot(admission: Semaphore): Interceptor {
  return ({ caller }) => (caller === undefined ? undefined : admission.check(caller));
}

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
