// What the simulated people look like between people, to judge the generating model by.
import type { LifeContext } from "../../src/products/values-bridge/scoring/model.ts";
import { answer, drawInstrument, drawPerson, lives } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, number, Tally } from "./tally.ts";

/** Statements of one instrument, answered by many people. */
export function referenceFigures(
  random: Random,
  population: Population,
  { statements, perValue }: Setting,
  people: number,
): Record<"interItem" | "alpha" | "lives", Figure> {
  const instrument = drawInstrument(random, population, statements.length, perValue);
  const sheets = Array.from({ length: people }, () => {
    const person = drawPerson(random, population, instrument);
    return answer(random, population, instrument, person, statements);
  });
  const [interItem, alpha, betweenLives] = [new Tally(), new Tally(), new Tally()];
  for (const ofValue of statements) {
    const pointsOf = (life: LifeContext) =>
      ofValue.map(({ [life]: { position, inverse } }) =>
        sheets.map((sheet) => (inverse ? 8 - Number(sheet[position]) : Number(sheet[position]))),
      );
    const sums = lives.map((life) => {
      const items = pointsOf(life);
      const sum = sheets.map((_, person) => items.reduce((total, item) => total + Number(item[person]), 0));
      const variances = items.reduce((total, item) => total + covariance(item, item), 0);
      alpha.add((perValue / (perValue - 1)) * (1 - variances / covariance(sum, sum)));
      for (const [index, item] of items.entries()) {
        for (const other of items.slice(index + 1)) interItem.add(correlation(item, other));
      }
      return sum;
    });
    const [ideal = [], current = []] = sums;
    betweenLives.add(correlation(ideal, current));
  }
  return { interItem: number(interItem), alpha: number(alpha), lives: number(betweenLives) };
}

/** With n - 1. */
function covariance(xs: readonly number[], ys: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  return xs.reduce((sum, x, index) => sum + (x - meanX) * (Number(ys[index]) - meanY), 0) / (xs.length - 1);
}

/** Pearson's. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  return covariance(xs, ys) / Math.sqrt(covariance(xs, xs) * covariance(ys, ys));
}
