// Whether the instrument builds the circle into its scores: what scores say of people whose values are independent.
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { rate } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import { correlation } from "./reference.ts";
import type { Setting } from "./setting.ts";
import { type Figure, number, Tally } from "./tally.ts";

/** For each value, the place of the value whose motive its inverse statement names; its own: the low end of the value. */
export type Motives = readonly number[];

/** Of inverse statements that name the motive of a value on the other side of the circle. */
export const motivesOfOthers: Motives = [11, 12, 11, 13, 14, 16, 16, 17, 19, 1, 2, 2, 2, 5, 4, 5, 7, 9, 10].map(
  (valueId) => valueId - 1,
);

/** Groups that a figure is the mean of: within one group chance alone correlates with the circle, by .08 (SD). */
const groups = 20;

export type Keying = "motives" | "lowEnds" | "forward";

/**
 * The correlation, over all pairs of values, of how two scores correlate with the cosine of the angle between the two
 * values. The people have values that are independent of each other, and tastes, slips and agreement of the population.
 * @param people of each of 20 groups
 */
export function independentFigures(
  random: Random,
  population: Population,
  { definition }: Pick<Setting, "definition">,
  people: number,
): Record<Keying, Figure> {
  const { values } = definition;
  const cosines = ofPairs(values.length, (one, other) => Math.cos((2 * Math.PI * (other - one)) / values.length));
  const tallies: Record<Keying, Tally> = { motives: new Tally(), lowEnds: new Tally(), forward: new Tally() };
  const keyings: readonly Keying[] = ["motives", "lowEnds", "forward"];
  for (let group = 0; group < groups; group += 1) {
    const scores = keyings.map(() => values.map((): number[] => []));
    for (let index = 0; index < people; index += 1) {
      const person = drawScores(random, population, values);
      keyings.forEach((keying, which) => {
        person[keying].forEach((score, value) => {
          at(at(scores, which), value).push(score);
        });
      });
    }
    keyings.forEach((keying, which) => {
      const lists = at(scores, which).map(standardised);
      const between = ofPairs(values.length, (one, other) => product(at(lists, one), at(lists, other)));
      tallies[keying].add(correlation(between, cosines));
    });
  }
  return {
    motives: number(tallies.motives),
    lowEnds: number(tallies.lowEnds),
    forward: number(tallies.forward),
  };
}

/** The mean ratings of one person on each value, inverse ones turned round, by either keying. */
function drawScores(
  random: Random,
  { level, levelSd, direction, taste, statementTaste, slip, agreement }: Population,
  values: Setting["definition"]["values"],
): Record<Keying, number[]> {
  const ownLevel = level + random.normal(levelSd);
  const readiness = random.normal(agreement);
  const attitudes = values.map(() => ownLevel + random.normal(Math.hypot(direction, taste)));
  const scores: Record<Keying, number[]> = { motives: [], lowEnds: [], forward: [] };
  values.forEach(({ items }, value) => {
    const drawn = items.map(({ inverse }) => ({ inverse, apart: random.normal(Math.hypot(statementTaste, slip)) }));
    const mean = (motive: number | null) => {
      const points = drawn.flatMap(({ inverse, apart }) => {
        const thought = at(attitudes, value) + apart;
        if (!inverse) return [rate(thought + readiness)];
        if (motive === null) return [];
        return [8 - rate((motive === value ? 8 - thought : at(attitudes, motive) + apart) + readiness)];
      });
      return points.reduce((sum, each) => sum + each, 0) / points.length;
    };
    scores.motives.push(mean(at(motivesOfOthers, value)));
    scores.lowEnds.push(mean(value));
    scores.forward.push(mean(null));
  });
  return scores;
}

/** Less their mean, and of length 1: products of two lists are their correlation. */
function standardised(list: readonly number[]): number[] {
  const mean = list.reduce((sum, each) => sum + each, 0) / list.length;
  const centred = list.map((each) => each - mean);
  const length = Math.sqrt(product(centred, centred));
  return centred.map((each) => each / length);
}

function product(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += at(one, index) * at(other, index);
  return sum;
}

/** One number for each pair of values. */
function ofPairs(values: number, measure: (one: number, other: number) => number): number[] {
  return Array.from({ length: values }, (_, one) =>
    Array.from({ length: values - one - 1 }, (_pair, step) => measure(one, one + step + 1)),
  ).flat();
}
