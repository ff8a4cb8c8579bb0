// Whether forward and inverse statements on one value are answered in opposite ways.

import type { CellSums } from "../sheet.ts";
import { isConstant, leastCells, meanOf } from "../statistics/samples.ts";

/**
 * Pearson's correlation over cells of mean forward with mean inverse rating, -1..1: near -1 where a person tells
 * opposites apart (a within-person form of the antonym index: Curran 2016). Null below 10 such cells, or if either
 * mean does not vary.
 */
export function oppositesOf(cells: readonly CellSums[]): number | null {
  const both = cells.map((cell) => cell.bothKeys).filter((means) => means !== null);
  const forward = both.map((means) => means.forward);
  const inverse = both.map((means) => means.inverse);
  if (both.length < leastCells || isConstant(forward) || isConstant(inverse)) return null;
  return correlation(forward, inverse);
}

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  xs.forEach((x, index) => {
    const [dx, dy] = [x - meanX, (ys[index] ?? meanY) - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  });
  return Math.min(1, Math.max(-1, xy / Math.sqrt(xx * yy)));
}
