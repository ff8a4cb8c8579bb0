// Lets calls in as the process can take them: before anything of theirs reaches the database.
import { setTimeout as pause } from "node:timers/promises";
import type { TokenResolver } from "../../domain/identity/tokens.ts";
import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { networkOf } from "../../kernel/calls/network.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { Interceptor, PipelineCall } from "../call.ts";
import type { PacedAdmission } from "../limits/paced-admission.ts";

/** After which a call that has idled asks for a slot again. */
const returnPauseMs = 20;

/**
 * Requires a slot for every call: one of its client, or of its network if no client is known. A gateway that asks who
 * calls gets the slot of the one it asks about; a cached Introspect call takes none, and hears at once if the call
 * itself would be refused.
 * @param now seconds of a monotonic clock
 */
export function admit(admission: PacedAdmission, resolver: TokenResolver, now: () => number): Interceptor {
  return {
    name: "admit",
    enter(call) {
      const { method, origin, principal, deadline } = call;
      if (deadline === undefined) throw new Error("a call is admitted after its message was read");
      let caller = principal?.clientId;
      if (method === TokenService.method.introspect) {
        const { token, partnerId } = call.message as IntrospectRequest;
        const asked = resolver.known(token);
        if (asked !== undefined && partnerId === undefined) return admission.check(asked.clientId);
        caller = asked?.clientId;
      }
      const slot = caller ?? networkOf(origin.address);
      call.leaveSlot = () => leave(call);
      call.idle = (wait) => idleOutside(call, slot, deadline.signal, wait);
      return keepSlot(call, slot, admission.enter(slot, deadline.signal));
    },
    leave,
  };

  function keepSlot(call: PipelineCall, slot: string, wait: undefined | Promise<void>): undefined | Promise<void> {
    if (wait === undefined) {
      call.slot = slot;
      return undefined;
    }
    return wait.then(() => {
      call.slot = slot;
    });
  }

  function leave(call: PipelineCall): void {
    if (call.slot === undefined) return;
    admission.leave(call.slot);
    call.slot = undefined;
  }

  async function idleOutside(call: PipelineCall, slot: string, signal: AbortSignal, wait: () => Promise<void>) {
    leave(call);
    const since = now();
    await wait();
    const waited = now() - since;
    call.waitedSeconds += waited;
    call.incoming.onWaited?.(waited);
    for (;;) {
      // A call that is over would keep its slot for ever.
      signal.throwIfAborted();
      try {
        return await keepSlot(call, slot, admission.return(slot, signal));
      } catch (error) {
        // It was let in once. Where many go on at the same time, it waits for its turn.
        if (!(error instanceof Refusal)) throw error;
        await pause(returnPauseMs, undefined, { signal });
      }
    }
  }
}

/**
 * Refuses a call that would be refused anyway, before anything of its message is read: checks the client of a call that
 * is known by its token. It takes no place.
 */
export function checkAdmission(admission: PacedAdmission): Interceptor {
  return {
    name: "check-admission",
    enter: ({ principal }) => (principal === undefined ? undefined : admission.check(principal.clientId)),
  };
}
