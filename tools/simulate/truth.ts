// What a person's scores would be without the luck of the draw.

import type { Statement } from "../../src/products/values-bridge/quality/compile.ts";
import type { Item } from "../../src/products/values-bridge/scoring/cells.ts";
import type { LifeContext } from "../../src/products/values-bridge/scoring/model.ts";
import type { Person } from "./people.ts";
import type { Population } from "./populations.ts";

/** Expected keyed points, 0..6, of a rating that is normal around `centre` before it is rounded and held to 1..7. */
function expectedPoints(centre: number, sd: number): number {
  let points = 0;
  for (let border = 1.5; border < 7; border += 1) points += countBelowEdges((centre - border) / sd);
  return points;
}

/** The standard normal distribution function to 7.5e-8 (Zelen and Severo 1964, formula 26.2.17). */
function countBelowEdges(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return z > 0 ? 1 - tail : tail;
}

/** Keyed points are mirrored for an inverse statement, so agreeing more readily takes points away there. */
function pushed(centre: number, { inverse }: Item, agreement: number): number {
  return inverse ? centre - agreement : centre + agreement;
}

/**
 * The score over an unlimited pool of statements with the keys of the real ones, 0..100.
 */
export function poolScore(
  { slip, attraction, statementTaste }: Population,
  { attitude, agreement }: Person,
  ofValue: readonly Statement[],
  value: number,
  life: LifeContext,
): number {
  const sd = Math.hypot(slip, attraction, statementTaste);
  const points = ofValue.map((statement) =>
    expectedPoints(pushed(attitude[life][value] ?? 0, statement[life], agreement), sd),
  );
  return percent(points);
}

function percent(points: readonly number[]): number {
  return ((100 / 6) * points.reduce((sum, each) => sum + each, 0)) / points.length;
}
