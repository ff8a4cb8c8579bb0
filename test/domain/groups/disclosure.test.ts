// Which groups may have numbers beside others: nothing that a reader computes from all of them tells of fewer than five.
import { expect, test } from "vitest";
import { maxGroupsOfSheet, minPeople, revealsFewerThan } from "../../../src/domain/groups/disclosure.ts";
import { randomOf } from "../../support/values-bridge/simulated-people.ts";

const pause = async () => undefined;

/** Sheets with the numbers from one to below another. */
function sheetIds(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `sheet-${from + index}`);
}

/** Whether each group gets numbers, one closing after the other. */
async function publish(groups: readonly (readonly string[])[], least = minPeople): Promise<boolean[]> {
  const published: (readonly string[])[] = [];
  const outcomes: boolean[] = [];
  for (const group of groups) {
    const isPublished = !(await revealsFewerThan([...published, group], least, pause));
    outcomes.push(isPublished);
    if (isPublished) published.push(group);
  }
  return outcomes;
}

const [a, b, c, d] = [sheetIds(0, 5), sheetIds(5, 10), sheetIds(10, 15), sheetIds(15, 20)] as const;
const company = Array.from({ length: 40 }, (_, team) => sheetIds(8 * team, 8 * team + 8));
const departments = Array.from({ length: 8 }, (_, index) => company.slice(5 * index, 5 * index + 5).flat());
const lastYear = Array.from({ length: 12 }, (_, index) => `last-${index}`);
const thisYear = Array.from({ length: 12 }, (_, index) => `this-${index}`);

test.each<[string, string[][], number[]]>([
  ["five people", [a], []],
  ["four people", [sheetIds(0, 4)], [0]],
  ["six people, three of whom gave the answers of another one", [[...sheetIds(0, 4), "sheet-0", "sheet-0"]], [0]],
  [
    "rows and columns of cells of five",
    [
      [...a, ...b],
      [...c, ...d],
      [...a, ...c],
      [...b, ...d],
    ],
    [],
  ],
  [
    "the same with one more in the last column",
    [
      [...a, ...b],
      [...c, ...d],
      [...a, ...c],
      [...b, ...d, "one"],
    ],
    [3],
  ],
  [
    "a company and three of its teams, four are in none",
    [sheetIds(0, 6), sheetIds(6, 12), sheetIds(12, 18), sheetIds(0, 22)],
    [3],
  ],
  [
    "a company and three of its teams, five are in none",
    [sheetIds(0, 6), sheetIds(6, 12), sheetIds(12, 18), sheetIds(0, 23)],
    [],
  ],
  [
    "last year's six, five of whom are a part of this year's company",
    [sheetIds(0, 6), b.map((s) => `${s}x`), [...a, ...b.map((s) => `${s}x`)]],
    [2],
  ],
  ["a team twice, the second time with one more", [sheetIds(0, 6), sheetIds(0, 7)], [1]],
  ["a team twice with the same people", [sheetIds(0, 6), sheetIds(0, 6)], []],
  ["a team a year later, all answered anew", [lastYear, thisYear], []],
  ["a company of 40 teams in 8 departments", [...company, ...departments, sheetIds(0, 320)], []],
  [
    "a company of 40 teams, one of which had four people",
    [...company.slice(0, 39), sheetIds(312, 316), sheetIds(0, 316)],
    [39, 40],
  ],
])("of %s, the groups without numbers are those which would tell of few", async (_title, groups, withheld) => {
  const outcomes = await publish(groups);
  expect(outcomes.flatMap((isPublished, index) => (isPublished ? [] : [index]))).toEqual(withheld);
});

/** Whether a sum with whole weights of -2..2 has sheets, but none that share their groups with four others: all are tried. */
function revealsFew(groups: readonly (readonly string[])[]): boolean {
  const all = [...new Set(groups.flat())];
  const atoms = [
    ...Map.groupBy(all, (sheet) => groups.map((group) => Number(group.includes(sheet))).join("")).entries(),
  ];
  for (let code = 0; code < 5 ** groups.length; code += 1) {
    const weights = groups.map((_, index) => (Math.floor(code / 5 ** index) % 5) - 2);
    const shares = atoms.filter(
      ([key]) => weights.reduce((sum, weight, group) => sum + weight * Number(key[group]), 0) !== 0,
    );
    if (shares.length > 0 && shares.every(([, sheets]) => sheets.length < minPeople)) return true;
  }
  return false;
}

test("groups of few random blocks of people are refused exactly where some weighted sum tells of few", async () => {
  const random = randomOf(7);
  const outcomes = new Map<boolean, number>();
  for (let round = 0; round < 400; round += 1) {
    const blocks = Array.from({ length: 5 }, (_, block) => {
      const size = [1, 3, 5, 6][Math.floor(4 * random())] ?? 1;
      return Array.from({ length: size }, (_id, index) => `${block} ${index}`);
    });
    const groups = Array.from({ length: 4 }, () => blocks.filter(() => random() < 0.5).flat()).filter(
      (group) => group.length > 0,
    );
    const expected = revealsFew(groups);
    expect(await revealsFewerThan(groups, minPeople, pause), JSON.stringify(groups)).toBe(expected);
    outcomes.set(expected, (outcomes.get(expected) ?? 0) + 1);
  }
  expect([outcomes.get(true), outcomes.get(false)].every((count = 0) => count > 40)).toBe(true);
});

test("the pieces of a check of a thousand groups of ten thousand people in all are short", async () => {
  let pieces = 0;
  const teams = Array.from({ length: 999 }, (_, team) => sheetIds(10 * team, 10 * team + 10));
  const count = async () => {
    pieces += 1;
  };
  expect(await revealsFewerThan([...teams, sheetIds(0, 1000)], minPeople, count)).toBe(false);
  expect(pieces).toBeGreaterThan(1000);
  pieces = 0;
  expect(await revealsFewerThan([sheetIds(0, 10_000)], minPeople, count)).toBe(false);
  expect(pieces).toBeGreaterThan(20);
});

// Attacks that no sum over few people makes: by roundings that differ, and by answers that hardly change. Each beside the best
// guess of somebody who has read nothing.

const draw = randomOf(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
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
function toldOf(group: readonly Life[], width: number): number {
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
  const five = people(minPeople);
  /** Estimates of the sum of the five gaps, by how exact they are: the variance of a rounding is a twelfth of its square. */
  const estimates = [{ sum: 5 * toldOf(five, 0.5), precision: 1 / 25 }];
  for (let index = 0; index < others; index += 1) {
    const other = people(minPeople);
    const sum = 10 * toldOf([...five, ...other], 0.5) - 5 * toldOf(other, 0.5);
    estimates.push({ sum, precision: 1 / 125 });
  }
  const sum =
    sumOf(estimates.map((each) => each.sum * each.precision)) / sumOf(estimates.map((each) => each.precision));
  const [fifth = 0, ...pooled] = five.map(gapOf);
  return { gap: fifth, found: sum - sumOf(pooled) };
}

test("four of five find the fifth hardly more often from all groups that five may be in than by a guess, and do from a hundred", () => {
  const allowed = sharesOf(2000, () => attackByOverlaps(maxGroupsOfSheet - 1));
  expect(allowed.found).toBeLessThanOrEqual(allowed.guessed + 0.12);
  const hundred = sharesOf(500, () => attackByOverlaps(99));
  expect(hundred.found).toBeGreaterThan(hundred.guessed + 0.4);
});

test("a sheet that is in as many groups as may be gets into no other one with numbers", async () => {
  const five = ["a", "b", "c", "d", "e"];
  const groups = Array.from({ length: maxGroupsOfSheet }, (_, group) => [
    ...five,
    ...five.map((sheet) => `${sheet} ${group}`),
  ]);
  expect(await revealsFewerThan(groups, minPeople, pause)).toBe(false);
  expect(await revealsFewerThan([...groups, five], minPeople, pause)).toBe(true);
});

/** Twelve people; the next day one has left, and the others answer again. @param slip of a score, in steps */
function attackByLeaver(slip: number) {
  const before = people(12);
  const again = (score: number) => onGrid(score + slip * normal());
  const after = before.slice(1).map(({ wanted, lived }) => ({ wanted: again(wanted), lived: again(lived) }));
  const [gap = 0] = before.map(gapOf);
  return { gap, found: 12 * toldOf(before, 0.25) - 11 * toldOf(after, 0.25) };
}

test("whoever leaves a team that answers again the next day is found no more often than by a guess", () => {
  // Four statements, each with a slip of .8 steps.
  const { found, guessed } = sharesOf(2000, () => attackByLeaver(0.4));
  expect(found).toBeLessThanOrEqual(guessed);
});
