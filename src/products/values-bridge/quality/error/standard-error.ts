// Standard errors of weighted means of statements.

/** Integer weights by their sum and the sum of their squares. */
export interface Weights {
  readonly weight: number;
  readonly squaredWeight: number;
}

/**
 * Standard error of a weighted mean of keyed points, in points of 0..100:
 * `(100 / span) sqrt(variance * sum W²) / sum W`. It is the conditional absolute standard error of generalizability
 * theory for a within-person design (Brennan 1998).
 * @param variance of one statement, in squared scale points
 * @param span `max - min` of the rating scale
 * @param weights those of the answered statements, not empty
 */
export function standardError(variance: number, span: number, { weight, squaredWeight }: Weights): number {
  return ((100 / span) * Math.sqrt(variance * squaredWeight)) / weight;
}
