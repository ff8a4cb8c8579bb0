// Which groups may have numbers beside others: nothing that a reader computes from all of them tells of fewer than five.
import { expect, test } from "vitest";
import { leastPeople, tellsOfFew } from "../../../src/domain/groups/disclosure.ts";
import { randomOf } from "../../support/values-bridge/simulated-people.ts";

const pause = async () => undefined;

/** Sheets with the numbers from one to below another. */
function sheetIds(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `sheet-${from + index}`);
}

/** Whether each group gets numbers, one closing after the other. */
async function publish(groups: readonly (readonly string[])[], least = leastPeople): Promise<boolean[]> {
  const published: (readonly string[])[] = [];
  const outcomes: boolean[] = [];
  for (const group of groups) {
    const isPublished = !(await tellsOfFew([...published, group], least, pause));
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
    if (shares.length > 0 && shares.every(([, sheets]) => sheets.length < leastPeople)) return true;
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
    expect(await tellsOfFew(groups, leastPeople, pause), JSON.stringify(groups)).toBe(expected);
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
  expect(await tellsOfFew([...teams, sheetIds(0, 1000)], leastPeople, count)).toBe(false);
  expect(pieces).toBeGreaterThan(1000);
  pieces = 0;
  expect(await tellsOfFew([sheetIds(0, 10_000)], leastPeople, count)).toBe(false);
  expect(pieces).toBeGreaterThan(20);
});
