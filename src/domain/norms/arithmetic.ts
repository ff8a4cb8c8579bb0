// What contributions add to accumulators, for the assessment versions that were loaded.
import { countRetest, countSession } from "../../products/values-bridge/norms/accumulators/contribution.ts";
import type { NormLayout } from "../../products/values-bridge/norms/accumulators/layout.ts";
import { decodeSums, encodeSums } from "../../products/values-bridge/norms/accumulators/sums-codec.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { AnswerSheet } from "../sessions/session-port.ts";
import { type Delta, type NormArithmetic, type NormKind, VersionNotLoaded } from "./norm-arithmetic-port.ts";

/** Arithmetic that knows more versions the longer it lives; there are few. */
export class LoadedArithmetic implements NormArithmetic {
  readonly #catalogue: Pick<AssessmentCatalogue, "byId">;
  readonly #layouts = new Map<number, NormLayout>();

  constructor(catalogue: Pick<AssessmentCatalogue, "byId">) {
    this.#catalogue = catalogue;
  }

  async load(assessmentId: number): Promise<void> {
    this.#layouts.set(assessmentId, (await this.#catalogue.byId(assessmentId)).norms());
  }

  /** The layout of a version that was loaded. Throws VersionNotLoaded. */
  layoutOf(assessmentId: number): NormLayout {
    const layout = this.#layouts.get(assessmentId);
    if (layout === undefined) throw new VersionNotLoaded(assessmentId);
    return layout;
  }

  delta(assessmentId: number, kind: NormKind, contributions: readonly (readonly AnswerSheet[])[]): Delta {
    const layout = this.layoutOf(assessmentId);
    const delta = new Float64Array(lengthOf(layout, kind));
    for (const [first = [], second = []] of contributions) {
      if (kind === "sessions") countSession(layout, delta, first, 1);
      else countRetest(layout, delta, [first, second], 1);
    }
    return delta;
  }

  read(assessmentId: number, kind: NormKind, sums: Uint8Array | null): Delta {
    const length = lengthOf(this.layoutOf(assessmentId), kind);
    return sums === null ? new Float64Array(length) : decodeSums(sums, length);
  }

  add(sums: Uint8Array | null, deltas: readonly Delta[], sign: 1 | -1): Uint8Array {
    const length = deltas[0]?.length ?? 0;
    const total = sums === null ? new Float64Array(length) : decodeSums(sums, length);
    for (const delta of deltas) {
      for (const [place, value] of delta.entries()) if (value !== 0) total[place] = (total[place] ?? 0) + sign * value;
    }
    return encodeSums(total);
  }
}

function lengthOf(layout: NormLayout, kind: NormKind): number {
  return kind === "sessions" ? layout.length : layout.retestLength;
}

/** Does something with the arithmetic, again with every version that it turns out to need. */
export async function withVersions<T>(arithmetic: LoadedArithmetic, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof VersionNotLoaded)) throw error;
      await arithmetic.load(error.assessmentId);
    }
  }
}
