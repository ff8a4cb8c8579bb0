// Whether statements on one value are answered more alike than statements on different ones.
import { isConstant, leastCells, leastDf, meanOf, pool, type Sample } from "../statistics/samples.ts";

/**
 * `1 - MSW / MSB` over cells, -1..1: the share of the differences between one person's cells that is not noise of
 * single statements. It is the intraclass reliability of a cell mean in a one-way design within the person (Shrout and
 * Fleiss 1979, ICC(1,k), with the harmonic mean for unequal counts). MSW is the variance of keyed points within cells,
 * pooled; MSB the variance (n - 1) of the unweighted cell means times the harmonic mean of the counts.
 * Null below 10 cells, below 30 degrees of freedom within, or if all means are equal.
 * @param cells the scored cells, each with one answer or more
 */
export function consistencyOf(cells: readonly Sample[]): number | null {
  const within = pool(cells);
  const means = cells.map(({ sum, count }) => sum / count);
  if (cells.length < leastCells || within.df < leastDf || isConstant(means)) return null;
  const grand = meanOf(means);
  const between = means.reduce((total, mean) => total + (mean - grand) ** 2, 0) / (means.length - 1);
  const harmonicCount = cells.length / cells.reduce((total, { count }) => total + 1 / count, 0);
  return Math.max(-1, 1 - within.squaredDeviations / within.df / (between * harmonicCount));
}
