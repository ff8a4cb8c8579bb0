// Omega: how much of a weighted sum of statements one common factor explains, by maximum likelihood.
import { at } from "../../scoring/exact.ts";
import type { Matrix } from "./covariance.ts";

/** A model of one factor: each statement is a loading times the factor, plus a part of its own. */
export interface FactorModel {
  readonly loadings: readonly number[];
  /** Variances of the own parts. */
  readonly uniqueness: readonly number[];
}

/** A uniqueness below this share of the variance is at the border: the model does not fit properly. */
const leastUniqueness = 0.005;
const leastStatements = 3;
const mostTries = 2000;
const converged = 1e-10;

/**
 * One factor by maximum likelihood: minimises `log|S| + tr(C S⁻¹)` with `S = l l' + diag(psi)`, on the
 * correlations. Null below 3 statements, if a statement does not vary, if it does not converge, if
 * a uniqueness is at the border or a loading is not above 0.
 */
export function oneFactor(covariances: Matrix): FactorModel | null {
  const deviations = covariances.map((row, i) => Math.sqrt(at(row, i)));
  if (covariances.length < leastStatements || deviations.some((each) => !(each > 0))) return null;
  const correlations = covariances.map((row, i) => row.map((c, j) => c / (at(deviations, i) * at(deviations, j))));
  const found = maximise(correlations);
  if (found === null) return null;
  const sign = found.loadings.reduce((sum, l) => sum + l, 0) < 0 ? -1 : 1;
  const loadings = found.loadings.map((l) => sign * l);
  if (loadings.some((l) => l <= 0) || found.uniqueness.some((psi) => psi < leastUniqueness)) return null;
  return {
    loadings: loadings.map((l, i) => l * at(deviations, i)),
    uniqueness: found.uniqueness.map((psi, i) => psi * at(deviations, i) ** 2),
  };
}

/** `(W'l)² / ((W'l)² + sum W² psi)`: McDonald 1999. */
export function omegaOf({ loadings, uniqueness }: FactorModel, weights: readonly number[]): number {
  const common = loadings.reduce((sum, l, i) => sum + at(weights, i) * l, 0) ** 2;
  const own = uniqueness.reduce((sum, psi, i) => sum + at(weights, i) ** 2 * psi, 0);
  return common / (common + own);
}

/** By the EM algorithm (Rubin and Thayer 1982), two steps and a leap at a time (SQUAREM, Varadhan and Roland 2008). */
function maximise(correlations: Matrix): FactorModel | null {
  const rows = correlations.map(sumOf);
  const root = Math.sqrt(Math.max(1, sumOf(rows)));
  const begin = rows.map((row) => Math.min(0.95, Math.max(-0.95, row / root)));
  let model: FactorModel = { loadings: begin, uniqueness: begin.map((l) => 1 - l * l) };
  for (let tries = 0; tries < mostTries; tries += 1) {
    const one = stepOf(correlations, model);
    const two = stepOf(correlations, one);
    const way = difference(one, model);
    if (way.every((each) => Math.abs(each) < converged)) return two;
    const turn = difference(two, one).map((each, i) => each - at(way, i));
    const leap = Math.max(1, Math.hypot(...way) / Math.hypot(...turn));
    const leapt = [...model.loadings, ...model.uniqueness].map(
      (each, i) => each + 2 * leap * at(way, i) + leap * leap * at(turn, i),
    );
    const uniqueness = leapt.splice(begin.length);
    model = uniqueness.every((psi) => psi > 0) ? stepOf(correlations, { loadings: leapt, uniqueness }) : two;
  }
  return null;
}

/** The EM step: loadings and uniquenesses expected under the current model. */
function stepOf(correlations: Matrix, { loadings, uniqueness }: FactorModel): FactorModel {
  const scaled = loadings.map((l, i) => l / at(uniqueness, i));
  const factor = 1 + sumOf(loadings.map((l, i) => l * at(scaled, i)));
  const weights = scaled.map((each) => each / factor);
  const shared = correlations.map((row) => sumOf(row.map((r, j) => r * at(weights, j))));
  const square = 1 / factor + sumOf(weights.map((w, i) => w * at(shared, i)));
  const next = shared.map((each) => each / square);
  return { loadings: next, uniqueness: next.map((l, i) => 1 - l * at(shared, i)) };
}

function difference(one: FactorModel, other: FactorModel): number[] {
  const before = [...other.loadings, ...other.uniqueness];
  return [...one.loadings, ...one.uniqueness].map((each, i) => each - at(before, i));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
