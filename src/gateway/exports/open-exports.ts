// How many exports a process writes at a time, and how long a reader may leave one lying.
import { Readable } from "node:stream";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { backgroundTimers, type Timers } from "../../kernel/timers.ts";
import { maxExportMs } from "./export-stream.ts";

const maxOpen = 16;
/** So that no client can keep the others from theirs. */
const maxOpenPerClient = 4;
/** What a reader has beyond the time in which pages are read, for the last of them. */
const graceMs = 30_000;
const retryAfterSeconds = 5;

export class OpenExports {
  readonly #timers: Pick<Timers, "after">;
  readonly #byClient = new Map<string, number>();
  #open = 0;

  constructor(timers: Pick<Timers, "after"> = backgroundTimers) {
    this.#timers = timers;
  }

  /** The client's text as a body, which ends itself if nobody reads it. Throws `unavailable` if too many are open. */
  body(clientId: string, text: AsyncIterable<string>): Readable {
    const own = this.#byClient.get(clientId) ?? 0;
    if (this.#open >= maxOpen || own >= maxOpenPerClient) {
      throw new Refusal("unavailable", "Too many exports at a time. Try again in some seconds.", { retryAfterSeconds });
    }
    this.#open += 1;
    this.#byClient.set(clientId, own + 1);
    const body = Readable.from(text, { objectMode: false });
    const keep = this.#timers.after(maxExportMs + graceMs, () => body.destroy());
    body.once("close", () => {
      keep();
      this.#open -= 1;
      const left = (this.#byClient.get(clientId) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(clientId);
      else this.#byClient.set(clientId, left);
    });
    return body;
  }
}
