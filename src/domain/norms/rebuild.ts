// Recomputing accumulators from stored answers.

import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { Deadline } from "../environment.ts";
import type { NormStore } from "../ports/norms.ts";
import { LoadedArithmetic } from "./arithmetic.ts";

/** What a rebuild found: `changed` is how many sets had other numbers, 0 unless something went wrong. */
export interface RebuiltNorms {
  readonly sets: number;
  readonly contributions: number;
  readonly changed: number;
}

/** Recomputes every set from the stored answers of those who contribute to it, and puts right what differs. */
export async function rebuildNorms(
  { norms, catalogue }: { readonly norms: NormStore; readonly catalogue: AssessmentCatalogue },
  { signal }: Deadline,
): Promise<RebuiltNorms> {
  const arithmetic = new LoadedArithmetic(catalogue);
  const sets = await norms.listSets(signal);
  let [contributions, changed] = [0, 0];
  for (const { id, assessmentId } of sets) {
    await arithmetic.load(assessmentId);
    const rebuilt = await norms.rebuild(id, arithmetic, signal);
    contributions += rebuilt.contributions;
    if (rebuilt.hasChanged) changed += 1;
  }
  return { sets: sets.length, contributions, changed };
}
