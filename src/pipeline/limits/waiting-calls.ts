// How many calls may wait for something to happen. They keep no slot of those that run, but memory and a connection.
import { Refusal } from "../../kernel/errors/refusal.ts";

const maxWaiting = 256;
const maxWaitingPerClient = 8;
const retryAfterSeconds = 1;

export class WaitingCalls {
  readonly #byClient = new Map<string, number>();
  #waiting = 0;

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Waits as one of the client's calls. Throws `rate_limited` or `unavailable` if too many wait. */
  async run(clientId: string, wait: () => Promise<void>): Promise<void> {
    const own = this.#byClient.get(clientId) ?? 0;
    if (own >= maxWaitingPerClient) {
      const detail = `A client may have ${maxWaitingPerClient} calls that wait for events.`;
      throw new Refusal("rate_limited", detail, { retryAfterSeconds });
    }
    if (this.#waiting >= maxWaiting) {
      throw new Refusal("unavailable", "Too many calls wait for events. Ask without waiting.", { retryAfterSeconds });
    }
    this.#byClient.set(clientId, own + 1);
    this.#waiting += 1;
    try {
      await wait();
    } finally {
      this.#waiting -= 1;
      const left = (this.#byClient.get(clientId) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(clientId);
      else this.#byClient.set(clientId, left);
    }
  }
}
