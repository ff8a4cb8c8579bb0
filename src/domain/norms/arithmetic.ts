// What contributions add to accumulators, for the assessment versions that were loaded.
import type { InstrumentNorms } from "../../products/product.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import {
  type CountableSession,
  type Delta,
  type NormArithmetic,
  type NormKind,
  VersionNotLoaded,
} from "./norm-arithmetic-port.ts";

/**
 * Arithmetic that knows more versions the longer it lives; there are few. A process has one, since a transaction that
 * lacks a version is done twice.
 */
export class LoadedArithmetic implements NormArithmetic {
  readonly #catalogue: Pick<AssessmentCatalogue, "byId" | "product">;
  readonly #norms = new Map<number, InstrumentNorms>();

  constructor(catalogue: Pick<AssessmentCatalogue, "byId" | "product">) {
    this.#catalogue = catalogue;
  }

  async load(assessmentId: number): Promise<void> {
    if (!this.#norms.has(assessmentId))
      this.#norms.set(assessmentId, (await this.#catalogue.byId(assessmentId)).norms());
  }

  /** What norms of a version that was loaded are made from. Throws VersionNotLoaded. */
  normsOf(assessmentId: number): InstrumentNorms {
    const norms = this.#norms.get(assessmentId);
    if (norms === undefined) throw new VersionNotLoaded(assessmentId);
    return norms;
  }

  delta(assessmentId: number, kind: NormKind, contributions: readonly (readonly CountableSession[])[]): Delta {
    const norms = this.normsOf(assessmentId);
    const delta = new Float64Array(norms.lengthOf(kind));
    for (const contribution of contributions) norms.count(kind, delta, contribution);
    return delta;
  }

  read(assessmentId: number, kind: NormKind, sums: Uint8Array | null): Delta {
    return this.#decode(sums, this.normsOf(assessmentId).lengthOf(kind));
  }

  add(sums: Uint8Array | null, deltas: readonly Delta[], sign: 1 | -1): Uint8Array {
    const total = this.#decode(sums, deltas[0]?.length ?? 0);
    for (const delta of deltas) {
      for (const [place, value] of delta.entries()) if (value !== 0) total[place] = (total[place] ?? 0) + sign * value;
    }
    return this.#catalogue.product.sums.encode(total);
  }

  #decode(sums: Uint8Array | null, length: number): Float64Array {
    return sums === null ? new Float64Array(length) : this.#catalogue.product.sums.decode(sums, length);
  }
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
