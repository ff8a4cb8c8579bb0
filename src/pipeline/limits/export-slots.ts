// How many pages of exports are read at a time: few, so that everything else goes on as before.
import { ClientSlots } from "../../kernel/calls/client-slots.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

/** Most pages that a process reads at a time. */
export const maxExportPages = 4;

export class ExportSlots {
  /** Only the part of a call that reads a page needs a slot. */
  readonly pages = new ClientSlots({ ofAll: maxExportPages, ofClient: 2 }, () => {
    return new Refusal("unavailable", "Too many exports at a time. Go on in a second.", { retryAfterSeconds: 1 });
  });
  #calls = 0;

  /** Calls of exports that are being worked on. */
  get calls(): number {
    return this.#calls;
  }

  async inCall<T>(work: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await work();
    } finally {
      this.#calls -= 1;
    }
  }
}
