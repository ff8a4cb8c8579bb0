// A small system of linear equations.
import { at } from "../../scoring/lists.ts";
import type { Matrix } from "./covariance.ts";

/** Solves `A x = b` by elimination with pivots; null if there is no one solution. */
export function solve(matrix: Matrix, right: readonly number[]): number[] | null {
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
