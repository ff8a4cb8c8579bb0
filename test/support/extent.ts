// How much a run shows (see test/short-runs.ts).
import { inject } from "vitest";

/** All of a list in a full run, in a short one those that stand for it. */
export function inExtent<T>(all: readonly T[], short: readonly T[]): readonly T[] {
  return inject("extent") === "short" ? short : all;
}

/** How many in a full run, and in a short one. */
export function howMany(full: number, short: number): number {
  return inject("extent") === "short" ? short : full;
}

/** All of a list in a full run, in a short one every so many-th; what is left out comes at another turn. */
export function inTurns<T>(all: readonly T[], count: number, turn: number): readonly T[] {
  return inExtent(
    all,
    all.filter((_, index) => index % count === turn % count),
  );
}
