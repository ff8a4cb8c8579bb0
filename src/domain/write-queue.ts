// Lets one task a key run at a time, so that writers of one session queue up instead of racing in the database.
import { Refusal } from "../kernel/errors/refusal.ts";
import { Semaphore } from "../kernel/limits/semaphore.ts";

const one = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1 };
const many = { queue: Number.POSITIVE_INFINITY, queueOfPartner: 127 };

export class WriteQueue {
  readonly #tasks = new Semaphore({ ...one, ...many }, () => {
    return new Refusal("unavailable", "Too many writes to this session are waiting.", { retryAfterSeconds: 1 });
  });

  /**
   * Runs the task after all earlier ones of the key have ended.
   * Refuses with `unavailable` if too many are waiting already; a task whose caller has left is not begun.
   */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#tasks.run({ partner: key, client: key }, signal, task);
  }
}
