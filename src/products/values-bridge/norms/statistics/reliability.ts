// Covariances of answers, and what they say of reliability: alpha, lambda 2, omega.

import jstat from "jstat";
import { addUp } from "../../quality/statistics.ts";
import { at } from "../../scoring/exact.ts";

/** A symmetric matrix, row by row. */
export type Matrix = readonly (readonly number[])[];

/** Sums of members, and of the products of every two. */
export interface Products {
  readonly n: number;
  readonly sums: readonly number[];
  readonly products: Matrix;
}

/** Covariances `(n P - S S) / (n (n - 1))`, from 2 people on. */
export function covarianceMatrix({ n, sums, products }: Products): Matrix {
  return products.map((row, i) => row.map((product, j) => (n * product - at(sums, i) * at(sums, j)) / (n * (n - 1))));
}

/** The part of a matrix that some rows and columns make. */
export function submatrix(matrix: Matrix, places: readonly number[]): Matrix {
  return places.map((i) => places.map((j) => at(at(matrix, i), j)));
}

/**
 * Covariances of the differences `d_i = x_i - x_(k+i)` of the two halves of 2k members:
 * `cov(i,j) - cov(i,j') - cov(i',j) + cov(i',j')`.
 */
export function differenceCovariances(matrix: Matrix): Matrix {
  const k = matrix.length / 2;
  const places = Array.from({ length: k }, (_, i) => i);
  const cell = (i: number, j: number) => at(at(matrix, i), j);
  return places.map((i) => places.map((j) => cell(i, j) - cell(i, k + j) - cell(k + i, j) + cell(k + i, k + j)));
}

/** `w' C v`. */
export function quadraticForm(matrix: Matrix, w: readonly number[], v: readonly number[]): number {
  return addUp(matrix.map((row, i) => at(w, i) * addUp(row.map((c, j) => c * at(v, j)))));
}

/** Classical reliability of k statements; null if nothing varies. */
export interface Reliability {
  /** Cronbach's alpha. */
  readonly alpha: number | null;
  /** Guttman's lambda 2. */
  readonly lambda2: number | null;
  /** Correlation of each statement with the sum of the others. */
  readonly itemRest: readonly (number | null)[];
  /** Alpha of the other statements. */
  readonly alphaIfDropped: readonly (number | null)[];
  /** 95 % interval of alpha (Feldt 1965). */
  readonly feldt95: readonly [number, number] | null;
}

/** @param n number of people, 2 or more */
export function computeReliability(matrix: Matrix, n: number): Reliability {
  const [alpha, k] = [computeAlpha(matrix), matrix.length];
  const places = matrix.map((_, i) => i);
  const parts = matrix.map((row, i) => {
    const others = places.filter((j) => j !== i);
    const rest = submatrix(matrix, others);
    const variances = at(row, i) * addUp(rest.flat());
    const itemRest = variances > 0 ? addUp(others.map((j) => at(row, j))) / Math.sqrt(variances) : null;
    return { itemRest, alphaIfDropped: computeAlpha(rest) };
  });
  return {
    alpha,
    lambda2: computeLambda2(matrix),
    itemRest: parts.map(({ itemRest }) => itemRest),
    alphaIfDropped: parts.map(({ alphaIfDropped }) => alphaIfDropped),
    feldt95: alpha === null ? null : feldt(alpha, n, k),
  };
}

/** `k / (k - 1) (1 - tr C / sum C)`: Cronbach 1951. Null below 2 statements, and if their sum does not vary. */
function computeAlpha(matrix: Matrix): number | null {
  const [k, total] = [matrix.length, addUp(matrix.flat())];
  return k < 2 || total <= 0 ? null : (k / (k - 1)) * (1 - computeTrace(matrix) / total);
}

/** `(off + sqrt(k / (k - 1) sum off c²)) / sum C`: Guttman 1945. */
function computeLambda2(matrix: Matrix): number | null {
  const [k, total] = [matrix.length, addUp(matrix.flat())];
  if (k < 2 || total <= 0) return null;
  const squares = addUp(matrix.flatMap((row, i) => row.map((c, j) => (i === j ? 0 : c * c))));
  return (total - computeTrace(matrix) + Math.sqrt((k / (k - 1)) * squares)) / total;
}

/** `1 - (1 - alpha) F`, with the quantiles of F at .975 and .025 for n - 1 and (n - 1)(k - 1): Feldt 1965. */
function feldt(alpha: number, n: number, k: number): [number, number] {
  const bound = (probability: number) => 1 - (1 - alpha) * jstat.centralF.inv(probability, n - 1, (n - 1) * (k - 1));
  return [bound(0.975), bound(0.025)];
}

function computeTrace(matrix: Matrix): number {
  return addUp(matrix.map((row, i) => at(row, i)));
}

/** A model of one factor: each statement is a loading times the factor, plus a part of its own. */
export interface FactorModel {
  readonly loadings: readonly number[];
  /** Variances of the own parts. */
  readonly uniqueness: readonly number[];
}

/** A uniqueness below this share of the variance is at the border: the model does not fit properly. */
const minUniqueness = 0.005;
const minStatements = 3;
const maxTries = 2000;
const tolerance = 1e-10;

/**
 * One factor by maximum likelihood: minimises `log|S| + tr(C S⁻¹)` with `S = l l' + diag(psi)`, on the
 * correlations. Null below 3 statements, if a statement does not vary, if it does not converge, if
 * a uniqueness is at the border or a loading is not above 0.
 */
export function oneFactor(covariances: Matrix): FactorModel | null {
  const deviations = covariances.map((row, i) => Math.sqrt(at(row, i)));
  if (covariances.length < minStatements || deviations.some((each) => !(each > 0))) return null;
  const correlations = covariances.map((row, i) => row.map((c, j) => c / (at(deviations, i) * at(deviations, j))));
  const model = maximise(correlations);
  if (model === null) return null;
  const sign = addUp(model.loadings) < 0 ? -1 : 1;
  const loadings = model.loadings.map((l) => sign * l);
  if (loadings.some((l) => l <= 0) || model.uniqueness.some((psi) => psi < minUniqueness)) return null;
  return {
    loadings: loadings.map((l, i) => l * at(deviations, i)),
    uniqueness: model.uniqueness.map((psi, i) => psi * at(deviations, i) ** 2),
  };
}

/** `(W'l)² / ((W'l)² + sum W² psi)`: McDonald 1999. */
export function computeOmega({ loadings, uniqueness }: FactorModel, weights: readonly number[]): number {
  const common = addUp(loadings.map((l, i) => at(weights, i) * l)) ** 2;
  const own = addUp(uniqueness.map((psi, i) => at(weights, i) ** 2 * psi));
  return common / (common + own);
}

/** By the EM algorithm (Rubin and Thayer 1982), two steps and a leap at a time (SQUAREM, Varadhan and Roland 2008). */
function maximise(correlations: Matrix): FactorModel | null {
  const rows = correlations.map(addUp);
  const root = Math.sqrt(Math.max(1, addUp(rows)));
  const begin = rows.map((row) => Math.min(0.95, Math.max(-0.95, row / root)));
  let model: FactorModel = { loadings: begin, uniqueness: begin.map((l) => 1 - l * l) };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const one = runEmStep(correlations, model);
    const two = runEmStep(correlations, one);
    const way = difference(one, model);
    if (way.every((each) => Math.abs(each) < tolerance)) return two;
    const turn = difference(two, one).map((each, i) => each - at(way, i));
    const leap = Math.max(1, Math.hypot(...way) / Math.hypot(...turn));
    const leapt = [...model.loadings, ...model.uniqueness].map(
      (each, i) => each + 2 * leap * at(way, i) + leap * leap * at(turn, i),
    );
    const uniqueness = leapt.splice(begin.length);
    model = uniqueness.every((psi) => psi > 0) ? runEmStep(correlations, { loadings: leapt, uniqueness }) : two;
  }
  return null;
}

/** The EM step: loadings and uniquenesses expected under the current model. */
function runEmStep(correlations: Matrix, { loadings, uniqueness }: FactorModel): FactorModel {
  const scaledLoadings = loadings.map((l, i) => l / at(uniqueness, i));
  const factor = 1 + addUp(loadings.map((l, i) => l * at(scaledLoadings, i)));
  const weights = scaledLoadings.map((each) => each / factor);
  const shared = correlations.map((row) => addUp(row.map((r, j) => r * at(weights, j))));
  const square = 1 / factor + addUp(weights.map((w, i) => w * at(shared, i)));
  const next = shared.map((each) => each / square);
  return { loadings: next, uniqueness: next.map((l, i) => 1 - l * at(shared, i)) };
}

function difference(one: FactorModel, other: FactorModel): number[] {
  const before = [...other.loadings, ...other.uniqueness];
  return [...one.loadings, ...one.uniqueness].map((each, i) => each - at(before, i));
}
