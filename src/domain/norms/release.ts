// Releasing norms: numbers are made where enough people are new, and withdrawn where removed ones have stayed too long.

import type { NormLayout } from "../../products/values-bridge/norms/accumulators/layout.ts";
import { decodeSums } from "../../products/values-bridge/norms/accumulators/sums-codec.ts";
import {
  type NormNumbers,
  normNumbers,
  type RetestNumbers,
  retestNumbers,
} from "../../products/values-bridge/norms/numbers.ts";
import { mayRelease, normRule, type ReleaseRule, withdrawalMs } from "../../products/values-bridge/norms/release.ts";
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
      return {
        releasedAt: now,
        numbers: numbersOf(versions.layoutOf(state.key.assessmentId), state, sums),
      };
    };
    if (await withVersions(versions, () => norms.release(id, make, signal))) released += 1;
  }
  return released;
}

/** Released numbers as they are kept. */
export type ReleasedNumbers = NormNumbers | RetestNumbers;

function numbersOf(layout: NormLayout, { key: { kind }, live }: NormSetState, sums: Uint8Array): Uint8Array {
  const numbers: ReleasedNumbers =
    kind === "sessions"
      ? normNumbers(layout, decodeSums(sums, layout.length), live)
      : retestNumbers(layout, decodeSums(sums, layout.retestLength), live);
  return Buffer.from(JSON.stringify(numbers));
}
