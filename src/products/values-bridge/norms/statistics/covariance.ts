// Covariances of small sets of statements, from sums and products of whole numbers.
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
export function covariances({ n, sums, products }: Products): Matrix {
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
  return matrix.reduce((sum, row, i) => sum + at(w, i) * row.reduce((inner, c, j) => inner + c * at(v, j), 0), 0);
}
