// Serializes concurrent writers of one thing: a queue within this process, compare and swap against other processes.
import { setTimeout as pause } from "node:timers/promises";
import type { Deadline, MonotonicClock, RandomBytes } from "../kernel/environment.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { Semaphore } from "../kernel/limits/semaphore.ts";

/** Reserved for responding before the caller's own deadline. */
const responseMarginMs = 100;
const maxPauseMs = 64;

/**
 * Runs the attempt until it returns a result. Undefined means that another writer was faster: everything is read again.
 * Throws `conflict` when the deadline is near; then this call has stored nothing.
 */
export async function compareAndSwap<T>(
  deps: { readonly monotonic: MonotonicClock; readonly random: RandomBytes },
  deadline: Deadline,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let lostRaces = 0; ; lostRaces += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    const jitter = (deps.random(1)[0] ?? 0) / 256;
    const pauseMs = jitter * Math.min(maxPauseMs, 2 ** lostRaces);
    if (deps.monotonic() + pauseMs > deadline.at - responseMarginMs) {
      throw new Refusal("conflict", details.conflict);
    }
    await pause(pauseMs, undefined, { signal: deadline.signal });
  }
}

/** For each key one task runs, and some wait; the keys are not limited together. */
const limits = {
  slots: Number.POSITIVE_INFINITY,
  slotsOfPartner: 1,
  queue: Number.POSITIVE_INFINITY,
  queueOfPartner: 127,
};

export class WriteQueue {
  readonly #tasks = new Semaphore(limits, () => {
    return new Refusal("unavailable", "Too many writes to this session are waiting.", { retryAfterSeconds: 1 });
  });

  /**
   * Runs the task after all earlier ones of the key have ended.
   * Refuses with `unavailable` if too many are waiting already; a task whose caller has left is not started.
   */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#tasks.run({ partner: key, client: key }, signal, task);
  }
}
