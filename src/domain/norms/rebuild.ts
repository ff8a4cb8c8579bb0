// Recomputing accumulators from stored answers.

import type { Paging } from "../../kernel/environment.ts";
import type { LoadedArithmetic } from "./arithmetic.ts";
import type { NormSetName, NormStore } from "./norm-port.ts";

/** What a rebuild found: `changed` is how many sets had other numbers, 0 unless something went wrong. */
export interface RebuiltNorms {
  readonly sets: number;
  readonly contributions: number;
  readonly changed: number;
}

/** Sets that are listed by one statement. */
const page = 100;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Recomputes every set from the stored answers of those who contribute to it, and puts right what differs. */
export async function rebuildNorms(
  {
    norms,
    arithmetic,
    mostAtOnce = page,
  }: Paging & { readonly norms: NormStore; readonly arithmetic: LoadedArithmetic },
  signal: AbortSignal,
): Promise<RebuiltNorms> {
  const found = { sets: 0, contributions: 0, changed: 0 };
  let after: NormSetName = { partnerId: beforeAllIds, id: 0 };
  for (;;) {
    const sets = await norms.listSets(after, mostAtOnce, signal);
    for (const { assessmentId, ...name } of sets) {
      await arithmetic.load(assessmentId);
      const { contributions, hasChanged } = await norms.rebuild(name, arithmetic, signal);
      found.sets += 1;
      found.contributions += contributions;
      if (hasChanged) found.changed += 1;
      after = name;
    }
    if (sets.length < mostAtOnce) return found;
  }
}
