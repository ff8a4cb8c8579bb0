// Releasing norms: numbers are made where enough people are new, and withdrawn where removed ones have stayed too long.

import { mayRelease, normRule, type ReleaseRule, withdrawalMs } from "../../products/product.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import { earlierBy, type TrustedClock } from "../trusted-clock.ts";
import { LoadedArithmetic, withVersions } from "./arithmetic.ts";
import type { NormSetState, NormStore } from "./norm-port.ts";

export interface ReleaseDeps {
  readonly norms: NormStore;
  readonly catalogue: AssessmentCatalogue;
  readonly trustedClock: TrustedClock;
}

/** Releases every set that is due, and withdraws what is. @returns how many were released. Throws `ClockDoubted`. */
export async function releaseNorms(
  deps: ReleaseDeps,
  signal: AbortSignal,
  rule: ReleaseRule = normRule,
): Promise<number> {
  const { norms, catalogue, trustedClock } = deps;
  const now = await trustedClock.read(signal);
  await norms.withdraw(earlierBy(now, withdrawalMs), signal);
  const versions = new LoadedArithmetic(catalogue);
  let released = 0;
  for (const id of await norms.listReleasable(rule.live, rule.fresh, signal)) {
    const make = (state: NormSetState, sums: Uint8Array) => {
      const isReleased = state.releases > 0;
      if (!mayRelease({ ...state, isReleased }, rule)) return null;
      const { assessmentId, kind } = state.key;
      return { releasedAt: now, numbers: versions.normsOf(assessmentId).numbersOf(kind, sums, state.live) };
    };
    if (await withVersions(versions, () => norms.release(id, make, signal))) released += 1;
  }
  return released;
}
