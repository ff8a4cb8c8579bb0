// Computing the numbers of partners' own people, after counting.

import { LoadedArithmetic, withVersions } from "./arithmetic.ts";
import type { NormDeps } from "./count.ts";
import type { NormSetKey, StoredNumbers } from "./norm-port.ts";

/** Sets that are listed by one statement. */
const page = 100;

/** Computes the numbers of every set that has changed enough; one that lost a person always has. */
export async function computeNorms(
  { norms, catalogue, clock, mostAtOnce = page }: Pick<NormDeps, "norms" | "catalogue" | "clock" | "mostAtOnce">,
  signal: AbortSignal,
): Promise<void> {
  const versions = new LoadedArithmetic(catalogue);
  const make = (key: NormSetKey, sums: Uint8Array | null): StoredNumbers | null => {
    const { assessmentId, kind } = key;
    const found = versions.normsOf(assessmentId).numbersOf(kind, versions.read(assessmentId, kind, sums));
    return found && { computedAt: new Date(clock()), ...found };
  };
  for (;;) {
    const stale = await norms.listStale(mostAtOnce, signal);
    for (const id of stale) await withVersions(versions, () => norms.saveNumbers(id, make, signal));
    if (stale.length < mostAtOnce) return;
  }
}
