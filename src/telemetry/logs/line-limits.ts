// How many lines the log takes: whoever causes many of them must not fill the disk, nor slow down those who do not.

/** Of each kind. */
const maxLinesPerSecond = 20;

interface Second {
  startedAt: number;
  written: number;
  unlogged: number;
}

/** The lines of this second, counted for each kind of them: as many as there are outcomes of calls and requests. */
export class LineLimits {
  readonly #now: () => number;
  readonly #seconds = new Map<string, Second>();

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The number of lines of the kind left out since the last one; undefined if this one is to be left out as well. */
  take(kind: string): number | undefined {
    const now = this.#now();
    const second = this.#seconds.get(kind) ?? { startedAt: Number.NEGATIVE_INFINITY, written: 0, unlogged: 0 };
    this.#seconds.set(kind, second);
    if (now - second.startedAt >= 1000) {
      second.startedAt = now;
      second.written = 0;
    }
    if (second.written >= maxLinesPerSecond) {
      second.unlogged += 1;
      return undefined;
    }
    const { unlogged } = second;
    second.written += 1;
    second.unlogged = 0;
    return unlogged;
  }
}
