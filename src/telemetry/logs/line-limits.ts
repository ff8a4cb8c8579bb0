// How many lines the log takes: whoever causes many of them must not fill the disk, nor slow down those who do not.
import type { MonotonicClock } from "../../kernel/environment.ts";
import { RateLimit } from "../../kernel/limits/rate-limit.ts";

/** Of each kind. */
const linesPerSecond = { requests: 20, seconds: 1 };

/** The lines of this second, counted for each kind of them: as many as there are outcomes of calls and requests. */
export class LineLimits {
  readonly #written: RateLimit;
  readonly #unlogged = new Map<string, number>();

  constructor(now: MonotonicClock) {
    this.#written = new RateLimit(linesPerSecond, now);
  }

  /** The number of lines of the kind left out since the last one; undefined if this one is to be left out as well. */
  take(kind: string): number | undefined {
    const unlogged = this.#unlogged.get(kind) ?? 0;
    const isWritten = this.#written.count(kind);
    this.#unlogged.set(kind, isWritten ? 0 : unlogged + 1);
    return isWritten ? unlogged : undefined;
  }
}
