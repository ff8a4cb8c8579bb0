// How much a run shows (see test/short-forms.ts).
import { inject } from "vitest";

/** All of a list in a full run, in a short one those that stand for it. */
export function inExtent<T>(all: readonly T[], short: readonly T[]): readonly T[] {
  return inject("extent") === "short" ? short : all;
}
