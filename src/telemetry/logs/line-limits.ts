// Limits of log lines: a caller who causes many must neither fill the disk nor slow down others.
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

  /** The number of lines of the kind dropped since the last one; undefined if this one must be dropped too. */
  take(kind: string): number | undefined {
    const unlogged = this.#unlogged.get(kind) ?? 0;
    const isWritten = this.#written.count(kind);
    this.#unlogged.set(kind, isWritten ? 0 : unlogged + 1);
    return isWritten ? unlogged : undefined;
  }
}
