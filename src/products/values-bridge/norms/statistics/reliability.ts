// Reliability of a sum of statements, from their covariances (needs many people).
import jstat from "jstat";
import { at } from "../../scoring/exact.ts";
import type { Matrix } from "./covariance.ts";

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
export function reliabilityOf(matrix: Matrix, n: number): Reliability {
  const alpha = alphaOf(matrix);
  const k = matrix.length;
  const others = (dropped: number) => matrix.map((_, i) => i).filter((i) => i !== dropped);
  return {
    alpha,
    lambda2: lambda2Of(matrix),
    itemRest: matrix.map((_, i) => itemRest(matrix, i, others(i))),
    alphaIfDropped: matrix.map((_, i) => alphaOf(others(i).map((a) => others(i).map((b) => at(at(matrix, a), b))))),
    feldt95: alpha === null ? null : feldt(alpha, n, k),
  };
}

/** `k / (k - 1) (1 - tr C / sum C)`: Cronbach 1951. Null below 2 statements, and if their sum does not vary. */
export function alphaOf(matrix: Matrix): number | null {
  const k = matrix.length;
  const total = sumOf(matrix);
  if (k < 2 || total <= 0) return null;
  return (k / (k - 1)) * (1 - traceOf(matrix) / total);
}

/** `(off + sqrt(k / (k - 1) sum off c²)) / sum C`: Guttman 1945. */
function lambda2Of(matrix: Matrix): number | null {
  const k = matrix.length;
  const total = sumOf(matrix);
  if (k < 2 || total <= 0) return null;
  const squares = matrix.reduce(
    (sum, row, i) => sum + row.reduce((inner, c, j) => inner + (i === j ? 0 : c * c), 0),
    0,
  );
  return (total - traceOf(matrix) + Math.sqrt((k / (k - 1)) * squares)) / total;
}

function itemRest(matrix: Matrix, i: number, others: readonly number[]): number | null {
  const row = at(matrix, i);
  const shared = others.reduce((sum, j) => sum + at(row, j), 0);
  const rest = others.reduce((sum, a) => sum + others.reduce((inner, b) => inner + at(at(matrix, a), b), 0), 0);
  const own = at(row, i);
  return own <= 0 || rest <= 0 ? null : shared / Math.sqrt(own * rest);
}

/** `1 - (1 - alpha) F`, with the quantiles of F at .975 and .025 for n - 1 and (n - 1)(k - 1): Feldt 1965. */
function feldt(alpha: number, n: number, k: number): [number, number] {
  const bound = (probability: number) => 1 - (1 - alpha) * jstat.centralF.inv(probability, n - 1, (n - 1) * (k - 1));
  return [bound(0.975), bound(0.025)];
}

function sumOf(matrix: Matrix): number {
  return matrix.reduce((sum, row) => sum + row.reduce((inner, c) => inner + c, 0), 0);
}

function traceOf(matrix: Matrix): number {
  return matrix.reduce((sum, row, i) => sum + at(row, i), 0);
}
