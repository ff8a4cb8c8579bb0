// Covariances of answers, and reliability computed from them.
import jstat from "jstat";
import { addUp, at } from "../../scoring/exact.ts";

/** A symmetric matrix, row by row. */
export type Matrix = readonly (readonly number[])[];

/** Sums of members, and of the products of every two. */
export interface Products {
  readonly n: number;
  readonly sums: readonly number[];
  readonly products: Matrix;
}

/** Covariances `(n P - S S) / (n (n - 1))`, from 2 people on. */
export function computeCovarianceMatrix({ n, sums, products }: Products): Matrix {
  return products.map((row, i) => row.map((product, j) => (n * product - at(sums, i) * at(sums, j)) / (n * (n - 1))));
}

/** Some rows and columns of a matrix. */
export function selectSubmatrix(matrix: Matrix, places: readonly number[]): Matrix {
  return places.map((i) => places.map((j) => at(at(matrix, i), j)));
}

/**
 * Covariances of the differences `d_i = x_i - x_(k+i)` of the two halves of 2k members:
 * `cov(i,j) - cov(i,j') - cov(i',j) + cov(i',j')`.
 */
export function computeDifferenceCovariances(matrix: Matrix): Matrix {
  const k = matrix.length / 2;
  const places = Array.from({ length: k }, (_, i) => i);
  const cell = (i: number, j: number) => at(at(matrix, i), j);
  return places.map((i) => places.map((j) => cell(i, j) - cell(i, k + j) - cell(k + i, j) + cell(k + i, k + j)));
}

/** `w' C v`. */
export function computeQuadraticForm(matrix: Matrix, w: readonly number[], v: readonly number[]): number {
  return addUp(matrix.map((row, i) => at(w, i) * addUp(row.map((c, j) => c * at(v, j)))));
}

/** `k / (k - 1) (1 - tr C / sum C)`: Cronbach 1951. Null below 2 statements, and if their sum does not vary. */
export function computeAlpha(matrix: Matrix): number | null {
  const [k, total] = [matrix.length, addUp(matrix.flat())];
  const trace = addUp(matrix.map((row, i) => at(row, i)));
  return k < 2 || total <= 0 ? null : (k / (k - 1)) * (1 - trace / total);
}

/**
 * The 95 % interval of an alpha of k statements and n people: `1 - (1 - alpha) F`, with the quantiles of F at .975 and .025
 * for n - 1 and (n - 1)(k - 1) (Feldt 1965).
 */
export function computeAlphaInterval(alpha: number, n: number, k: number): readonly [number, number] {
  const bound = (probability: number) => 1 - (1 - alpha) * jstat.centralF.inv(probability, n - 1, (n - 1) * (k - 1));
  return [bound(0.975), bound(0.025)];
}

/** Correlation of each statement with the sum of the others; null where one of them does not vary. */
export function computeItemRestCorrelations(matrix: Matrix): readonly (number | null)[] {
  return matrix.map((row, i) => {
    const others = [...row.keys()].filter((j) => j !== i);
    const variances = at(row, i) * addUp(selectSubmatrix(matrix, others).flat());
    return variances > 0 ? addUp(others.map((j) => at(row, j))) / Math.sqrt(variances) : null;
  });
}

/** Standard error of measurement `SD sqrt(1 - reliability)`; null without a reliability. */
export function computeMeasurementError(sd: number, reliability: number | null): number | null {
  return reliability === null ? null : sd * Math.sqrt(Math.max(0, 1 - reliability));
}
