// Lets calls in as the process can take them: before anything of theirs reaches the database.

import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { strangerAt } from "../../kernel/limits/caller.ts";
import type { Semaphore } from "../../kernel/limits/semaphore.ts";
import type { TokenResolver } from "../auth/token-resolver.ts";
import type { Interceptor, PipelineCall } from "../call.ts";

/**
 * Requires a slot for every call: one of its client, or of its network if no client is known. A gateway that asks who
 * calls gets the slot of the one it asks about; a cached Introspect call takes none, and hears at once if the call
 * itself would be refused.
 * @param now seconds of a monotonic clock
 */
export function admit(admission: Semaphore, resolver: TokenResolver, now: () => number): Interceptor {
  return {
    name: "admit",
    enter(call) {
      const { method, origin, deadline } = call;
      if (deadline === undefined) throw new Error("a call is admitted after its message was read");
      if (method === TokenService.method.introspect) {
        const { token, partnerId } = call.message as IntrospectRequest;
        call.caller = resolver.known(token)?.caller;
        if (call.caller !== undefined && partnerId === undefined) return admission.check(call.caller);
      }
      const { signal } = deadline;
      const caller = call.caller ?? strangerAt(origin.address);
      call.leaveSlot = () => leave(call);
      call.idle = async (wait) => {
        leave(call);
        const since = now();
        await wait();
        const waited = now() - since;
        call.waitedSeconds += waited;
        call.incoming.onWaited?.(waited);
        await keep(call, admission.retake(caller, signal));
      };
      return keep(call, admission.take(caller, signal));
    },
    leave,
  };
}

function keep(call: PipelineCall, slot: Disposable | Promise<Disposable>): undefined | Promise<void> {
  if (slot instanceof Promise) {
    return slot.then((taken) => {
      call.slot = taken;
    });
  }
  call.slot = slot;
  return undefined;
}

function leave(call: PipelineCall): void {
  call.slot?.[Symbol.dispose]();
  call.slot = undefined;
}

/**
 * Refuses a call that would be refused anyway, before anything of its message is read: checks the client of a call that
 * is known by its token. It takes no place.
 */
export function checkAdmission(admission: Semaphore): Interceptor {
  return {
    name: "check-admission",
    enter: ({ caller }) => (caller === undefined ? undefined : admission.check(caller)),
  };
}
