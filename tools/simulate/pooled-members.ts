// What members of a group who pool their own answers learn of the one who does not.
import { minForSpread } from "../../src/domain/groups/disclosure.ts";
import { computeMoments } from "../../src/products/values-bridge/groups/agreement.ts";
import { type Member, readMember } from "../../src/products/values-bridge/groups/member.ts";
import { computeRoundingWidth, summarizeGroup } from "../../src/products/values-bridge/groups/summarize.ts";
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { answer, drawInstrument, drawPerson } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";

/** In steps of the scale. */
export const distances = [0.25, 0.5, 1] as const;

/** The places that the gap of a value may have, where all of its four statements are answered. */
const places = Array.from({ length: 49 }, (_, index) => (index - 24) / 4);

/** Shares of gaps that come out within a distance, in percent. */
export interface Within {
  readonly distance: number;
  /** By the gaps of all others, the group's mean, and its standard deviation where that is told. */
  readonly pooled: number;
  /** By the one number that is within that distance of most gaps of these people. */
  readonly guess: number;
}

/** @param size of each group @param groups how many are drawn */
export function pooledFigures(
  random: Random,
  population: Population,
  { statements, perValue, assessor: { compiled } }: Setting,
  { size, groups }: { readonly size: number; readonly groups: number },
): readonly Within[] {
  const steps = compiled.scale.span / 100;
  const found: { readonly gap: number; readonly pooled: number }[] = [];
  for (let group = 0; group < groups; group += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const members: Member[] = [];
    while (members.length < size) {
      const person = drawPerson(random, population, instrument);
      const member = readMember(compiled, answer(random, population, instrument, person, statements), null);
      if (member !== null) members.push(member);
    }
    const { values } = summarizeGroup(compiled, members, size >= minForSpread);
    for (const [index, { gap }] of values.entries()) {
      if (gap === null) continue;
      const [last = 0, ...others] = members.map(({ measures }) => at(measures.gap, index));
      const sum = others.reduce((all, each) => all + each, 0);
      const byMean = steps * (size * gap.mean - sum);
      const { sd } = gap;
      /** How far the standard deviation would be from the one that is told. */
      const missOf = (place: number) =>
        sd === null ? 0 : Math.abs(Math.sqrt(computeMoments([place / steps, ...others]).variance) - sd);
      // Rounding moves a mean of gaps by no more than half the width of both means.
      const possible = places.filter(
        (place) => Math.abs(place - byMean) <= (size * computeRoundingWidth(1, sd !== null)) / 100 + 1e-6,
      );
      const [likely = byMean] = possible.toSorted(
        (one, other) => missOf(one) - missOf(other) || Math.abs(one - byMean) - Math.abs(other - byMean),
      );
      found.push({ gap: steps * last, pooled: sd === null ? byMean : likely });
    }
  }
  const shareWithin = (distance: number, of: (each: (typeof found)[number]) => number) =>
    (100 * found.filter((each) => Math.abs(of(each) - each.gap) <= distance + 1e-6).length) / found.length;
  return distances.map((distance) => ({
    distance,
    pooled: shareWithin(distance, ({ pooled }) => pooled),
    guess: Math.max(...places.map((place) => shareWithin(distance, () => place))),
  }));
}
