// How many pages of exports are read at a time: few, so that everything else goes on as before.
import { Refusal } from "../../kernel/errors/refusal.ts";

/** Most pages that a process reads at a time. */
export const maxExportPages = 4;
const maxRunningPerClient = 2;
const retryAfterSeconds = 1;

export class ExportSlots {
  readonly #byClient = new Map<string, number>();
  #running = 0;
  #calls = 0;

  /** Calls of exports that are being worked on. */
  get calls(): number {
    return this.#calls;
  }

  /** Does the work of a call. Only the part of it that reads a page needs a slot. */
  async inCall<T>(work: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await work();
    } finally {
      this.#calls -= 1;
    }
  }

  /** Reads a page as one of the client's. Throws `unavailable` if too many are read. */
  async run<T>(clientId: string, read: () => Promise<T>): Promise<T> {
    const own = this.#byClient.get(clientId) ?? 0;
    if (own >= maxRunningPerClient || this.#running >= maxExportPages) {
      throw new Refusal("unavailable", "Too many exports at a time. Go on in a second.", { retryAfterSeconds });
    }
    this.#byClient.set(clientId, own + 1);
    this.#running += 1;
    try {
      return await read();
    } finally {
      this.#running -= 1;
      const left = (this.#byClient.get(clientId) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(clientId);
      else this.#byClient.set(clientId, left);
    }
  }
}
