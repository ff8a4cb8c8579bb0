// What contributions to norms add up to, as the store asks for it.
import type { CountableSession, NormKind } from "../../products/product.ts";

export type { CountableSession, NormKind } from "../../products/product.ts";

/** Whole numbers that contributions add up to. */
export type Delta = Float64Array;

/** What contributions add, and how it is kept. Pure: the same sessions give the same numbers for ever. */
export interface NormArithmetic {
  /**
   * What contributions add up to: each is a session, or the first and the second one of a pair.
   * Throws VersionNotLoaded.
   */
  delta(assessmentId: number, kind: NormKind, contributions: readonly (readonly CountableSession[])[]): Delta;
  /** Stored sums as numbers. @param sums null for those of nobody. Throws VersionNotLoaded. */
  read(assessmentId: number, kind: NormKind, sums: Uint8Array | null): Delta;
  /** Stored sums with deltas added, or taken away. @param sums null for those of nobody */
  add(sums: Uint8Array | null, deltas: readonly Delta[], sign: 1 | -1): Uint8Array;
}

/** An assessment version turned up that was not loaded before the transaction; load it and try again. */
export class VersionNotLoaded extends Error {
  override readonly name = "VersionNotLoaded";
  readonly assessmentId: number;

  constructor(assessmentId: number) {
    super("an assessment version is not loaded");
    this.assessmentId = assessmentId;
  }
}
