// Lets one task a key run at a time, so that writers of one session queue up instead of racing in the database.
import { Refusal } from "../kernel/errors/refusal.ts";

const maxWaitingPerKey = 128;

export class WriteQueue {
  readonly #tails = new Map<string, { tail: Promise<unknown>; waiting: number }>();

  /**
   * Runs the task after all earlier ones of the key have ended.
   * Refuses with `unavailable` if too many are waiting already; a task whose caller has left is not begun.
   */
  async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const line = this.#tails.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
    if (line.waiting >= maxWaitingPerKey) {
      throw new Refusal("unavailable", "Too many writes to this session are waiting.", { retryAfterSeconds: 1 });
    }
    this.#tails.set(key, line);
    line.waiting += 1;
    const turn = line.tail.then(() => {
      signal.throwIfAborted();
      return task();
    });
    line.tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.#tails.delete(key);
    }
  }
}
