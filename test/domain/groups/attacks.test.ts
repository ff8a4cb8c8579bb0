// Attacks that no sum over few people makes: by roundings that differ, and by answers that hardly change. Each beside the best
// guess of somebody who has read nothing.
import { expect, test } from "vitest";
import { leastPeople, mostGroupsOfSheet, tellsOfFew } from "../../../src/domain/groups/disclosure.ts";
import { randomOf } from "../../support/values-bridge/simulated-people.ts";

const pause = async () => undefined;
const random = randomOf(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Scores lie on quarters of steps. */
const onGrid = (score: number) => Math.min(6, Math.max(0, Math.round(4 * score) / 4));

interface Life {
  readonly wanted: number;
  readonly lived: number;
}

const somebody = (): Life => {
  const wanted = 3.8 + normal();
  return { wanted: onGrid(wanted), lived: onGrid(wanted - 0.3 + normal()) };
};
const people = (count: number) => Array.from({ length: count }, somebody);
const gapOf = ({ wanted, lived }: Life) => wanted - lived;
const sumOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);

/** What is published of a group: the difference of two rounded means. @param width in steps */
function published(group: readonly Life[], width: number): number {
  const rounded = (scores: readonly number[]) => Math.round(sumOf(scores) / scores.length / width) * width;
  return rounded(group.map(({ wanted }) => wanted)) - rounded(group.map(({ lived }) => lived));
}

/** Shares of gaps that come out to within a quarter of a step: by an attack, to the nearest quarter, and by the best blind guess. */
function sharesOf(rounds: number, attack: () => { readonly gap: number; readonly found: number }) {
  const tries = Array.from({ length: rounds }, attack);
  const shareOf = (of: (gap: number, found: number) => number) =>
    tries.filter(({ gap, found }) => Math.abs(of(gap, found)) <= 0.25 + 1e-9).length / rounds;
  const guesses = Array.from({ length: 25 }, (_, place) => (place - 12) / 4);
  return {
    found: shareOf((gap, found) => gap - Math.round(4 * found) / 4),
    guessed: Math.max(...guesses.map((guess) => shareOf((gap) => gap - guess))),
  };
}

/** Four of five pool their gaps, and the five are in groups with so many other fives, which have numbers too. */
function attackByOverlaps(others: number) {
  const five = people(leastPeople);
  /** Estimates of the sum of the five gaps, by how exact they are: the variance of a rounding is a twelfth of its square. */
  const estimates = [{ sum: 5 * published(five, 0.5), precision: 1 / 25 }];
  for (let index = 0; index < others; index += 1) {
    const other = people(leastPeople);
    const sum = 10 * published([...five, ...other], 0.5) - 5 * published(other, 0.5);
    estimates.push({ sum, precision: 1 / 125 });
  }
  const sum =
    sumOf(estimates.map((each) => each.sum * each.precision)) / sumOf(estimates.map((each) => each.precision));
  const [fifth = 0, ...pooled] = five.map(gapOf);
  return { gap: fifth, found: sum - sumOf(pooled) };
}

test("four of five find the fifth hardly more often from all groups that five may be in than by a guess, and do from a hundred", () => {
  const allowed = sharesOf(2000, () => attackByOverlaps(mostGroupsOfSheet - 1));
  expect(allowed.found).toBeLessThanOrEqual(allowed.guessed + 0.12);
  const hundred = sharesOf(500, () => attackByOverlaps(99));
  expect(hundred.found).toBeGreaterThan(hundred.guessed + 0.4);
});

test("a sheet that is in as many groups as may be gets into no other one with numbers", async () => {
  const five = ["a", "b", "c", "d", "e"];
  const groups = Array.from({ length: mostGroupsOfSheet }, (_, group) => [
    ...five,
    ...five.map((sheet) => `${sheet} ${group}`),
  ]);
  expect(await tellsOfFew(groups, leastPeople, pause)).toBe(false);
  expect(await tellsOfFew([...groups, five], leastPeople, pause)).toBe(true);
});

/** Twelve people; the next day one has left, and the others answer again. @param slip of a score, in steps */
function attackByLeaver(slip: number) {
  const before = people(12);
  const again = (score: number) => onGrid(score + slip * normal());
  const after = before.slice(1).map(({ wanted, lived }) => ({ wanted: again(wanted), lived: again(lived) }));
  const [gap = 0] = before.map(gapOf);
  return { gap, found: 12 * published(before, 0.25) - 11 * published(after, 0.25) };
}

test("whoever leaves a team that answers again the next day is found no more often than by a guess", () => {
  // Four statements, each with a slip of .8 steps.
  const { found, guessed } = sharesOf(2000, () => attackByLeaver(0.4));
  expect(found).toBeLessThanOrEqual(guessed);
});
