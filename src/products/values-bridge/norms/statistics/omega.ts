// Omega: how much of a weighted sum of statements one common factor explains, by maximum likelihood.
import { at } from "../../scoring/lists.ts";
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
const mostSteps = 500;
const converged = 1e-10;

/**
 * One factor by maximum likelihood: minimises `log|S| + tr(C S⁻¹)` with `S = l l' + diag(psi)` by Fisher scoring with
 * step halving, on the correlations. Null below 3 statements, if a statement does not vary, if it does not converge, if
 * a uniqueness is at the border or a loading is not above 0.
 */
export function oneFactor(covariances: Matrix): FactorModel | null {
  const deviations = covariances.map((row, i) => Math.sqrt(at(row, i)));
  if (covariances.length < leastStatements || deviations.some((each) => !(each > 0))) return null;
  const correlations = covariances.map((row, i) => row.map((c, j) => c / (at(deviations, i) * at(deviations, j))));
  const found = minimise(correlations);
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

function minimise(correlations: Matrix): FactorModel | null {
  let current = centroid(correlations);
  let value = discrepancy(correlations, current);
  for (let step = 0; step < mostSteps; step += 1) {
    const direction = scoringStep(correlations, current);
    if (direction === null) return null;
    if (direction.every((each) => Math.abs(each) < converged)) return current;
    let share = 1;
    let next = move(current, direction, share);
    let nextValue = discrepancy(correlations, next);
    // At the minimum the values differ by rounding alone.
    while (!(nextValue <= value + 1e-14) && share > 1e-10) {
      share /= 2;
      next = move(current, direction, share);
      nextValue = discrepancy(correlations, next);
    }
    if (share <= 1e-10) return null;
    [current, value] = [next, nextValue];
  }
  return null;
}

/** Where to begin: each statement's share in the sum of all. */
function centroid(correlations: Matrix): FactorModel {
  const rows = correlations.map((row) => row.reduce((sum, r) => sum + r, 0));
  const total = Math.sqrt(
    Math.max(
      1,
      rows.reduce((sum, row) => sum + row, 0),
    ),
  );
  const loadings = rows.map((row) => Math.min(0.95, Math.max(-0.95, row / total)));
  return { loadings, uniqueness: loadings.map((l) => 1 - l * l) };
}

function move({ loadings, uniqueness }: FactorModel, direction: readonly number[], share: number): FactorModel {
  const k = loadings.length;
  return {
    loadings: loadings.map((l, i) => l + share * at(direction, i)),
    uniqueness: uniqueness.map((psi, i) => psi + share * at(direction, k + i)),
  };
}

/** The inverse of `l l' + diag(psi)`, by the formula of Sherman and Morrison. */
function inverseOf({ loadings, uniqueness }: FactorModel): Matrix {
  const scaled = loadings.map((l, i) => l / at(uniqueness, i));
  const factor = 1 + loadings.reduce((sum, l, i) => sum + l * at(scaled, i), 0);
  return scaled.map((one, i) =>
    scaled.map((other, j) => (i === j ? 1 / at(uniqueness, i) : 0) - (one * other) / factor),
  );
}

/** `log|S| + tr(C S⁻¹)`; infinite where a uniqueness is not above 0. */
function discrepancy(correlations: Matrix, model: FactorModel): number {
  const { loadings, uniqueness } = model;
  if (uniqueness.some((psi) => !(psi > 0))) return Number.POSITIVE_INFINITY;
  const factor = 1 + loadings.reduce((sum, l, i) => sum + (l * l) / at(uniqueness, i), 0);
  const logDeterminant = Math.log(factor) + uniqueness.reduce((sum, psi) => sum + Math.log(psi), 0);
  const inverse = inverseOf(model);
  const trace = correlations.reduce(
    (sum, row, i) => sum + row.reduce((inner, r, j) => inner + r * at(at(inverse, i), j), 0),
    0,
  );
  return logDeterminant + trace;
}

/** The step of Fisher scoring, loadings first: minus the inverse of the expected second derivatives times the first. */
function scoringStep(correlations: Matrix, model: FactorModel): number[] | null {
  const { loadings } = model;
  const inverse = inverseOf(model);
  const k = loadings.length;
  const times = (matrix: Matrix, vector: readonly number[]) =>
    matrix.map((row) => row.reduce((sum, each, j) => sum + each * at(vector, j), 0));
  const product = (one: Matrix, other: Matrix) =>
    one.map((row) => other.map((_, j) => row.reduce((sum, each, m) => sum + each * at(at(other, m), j), 0)));
  const around = product(product(inverse, correlations), inverse);
  const residual = inverse.map((row, i) => row.map((each, j) => each - at(at(around, i), j)));
  const gradient = [...times(residual, loadings).map((each) => 2 * each), ...residual.map((row, i) => at(row, i))];
  const q = times(inverse, loadings);
  const s = loadings.reduce((sum, l, i) => sum + l * at(q, i), 0);
  const information = Array.from({ length: 2 * k }, (_, a) =>
    Array.from({ length: 2 * k }, (_, b) => {
      const [i, j] = [a % k, b % k];
      const p = at(at(inverse, i), j);
      if (a < k && b < k) return 2 * (p * s + at(q, i) * at(q, j));
      if (a >= k && b >= k) return p * p;
      return 2 * p * at(q, a < k ? j : i);
    }),
  );
  return solve(
    information,
    gradient.map((each) => -each),
  );
}

/** Solves `A x = b` by elimination with pivots; null if there is no one solution. */
function solve(matrix: Matrix, right: readonly number[]): number[] | null {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, at(right, i)]);
  for (let column = 0; column < size; column += 1) {
    const pivot = rows.slice(column).reduce((best, row, i) => {
      return Math.abs(at(row, column)) > Math.abs(at(at(rows, best), column)) ? column + i : best;
    }, column);
    const [top, found] = [at(rows, column), at(rows, pivot)];
    rows[column] = found;
    rows[pivot] = top;
    const divisor = at(found, column);
    if (!(Math.abs(divisor) > 1e-14)) return null;
    for (let i = column + 1; i < size; i += 1) {
      const row = at(rows, i);
      const factor = at(row, column) / divisor;
      for (let j = column; j <= size; j += 1) row[j] = at(row, j) - factor * at(found, j);
    }
  }
  const solution = Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = at(rows, i);
    const known = solution.reduce((sum, x, j) => (j > i ? sum + x * at(row, j) : sum), 0);
    solution[i] = (at(row, size) - known) / at(row, i);
  }
  return solution;
}
