// Lets the callers of a partner or network go on one after the other, with a pause in between. Others do not wait for them.
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "./caller.ts";
import { Semaphore } from "./semaphore.ts";

/** @param queueOfPartner callers that may wait; others go on at once. @returns a function that resolves when a caller may go on */
export function pacing(pauseMs: number, queueOfPartner: number): (caller: Caller) => Promise<void> {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1, queueOfPartner, queue: 4 * queueOfPartner };
  const turns = new Semaphore(limits, () => new Error("too many wait"));
  return async (caller) => {
    try {
      const turn = await turns.take(caller);
      void pause(pauseMs).then(() => turn[Symbol.dispose]());
    } catch {
      return;
    }
  };
}
