// The time limit of a call.
import type { Deadline } from "../kernel/environment.ts";
import { deadlinePassed } from "../kernel/errors/refusal.ts";

export class CallDeadline implements Deadline {
  readonly signal: AbortSignal;
  readonly at: number;
  readonly #timer: NodeJS.Timeout;

  /** @param now by the monotonic clock. @param limitMs from now on */
  constructor(now: number, limitMs: number) {
    const time = new AbortController();
    this.signal = time.signal;
    this.at = now + limitMs;
    this.#timer = setTimeout(() => time.abort(deadlinePassed()), Math.max(limitMs, 0));
  }

  /** Stops the clock: the call is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Runs work that has to be done within the time, and gives the clock back at once. */
export async function within<T>(now: number, limitMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = new CallDeadline(now, limitMs);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}
