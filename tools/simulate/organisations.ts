// Which groups of usual organisations get numbers.
import { minPeople, revealsFewerThan, type SheetId } from "../../src/domain/groups/disclosure.ts";
import type { Random } from "./random.ts";

type Group = readonly SheetId[];

/** Groups in the order in which they close. */
interface Organisation {
  readonly what: string;
  readonly draw: (random: Random) => Group[];
}

const people = (name: string, count: number): Group => Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Teams of these sizes in departments of five, and the company. */
function tree(random: Random, [least, most]: readonly [number, number], withStaff: boolean): Group[] {
  const teams = Array.from({ length: 40 }, (_, team) => people(`team ${team}`, random.whole(least, most)));
  const departments = Array.from({ length: 8 }, (_, index) => [
    ...teams.slice(5 * index, 5 * index + 5).flat(),
    ...(withStaff ? people(`staff ${index}`, random.whole(0, 8)) : []),
  ]);
  return [...teams, ...departments, departments.flat()];
}

/** Functions and places: a cell may be empty, or have one person. */
function matrix(random: Random, sizes: readonly number[]): Group[] {
  const places = [0, 1, 2, 3];
  const cells = [0, 1, 2, 3, 4].map((row) =>
    places.map((column) => people(`cell ${row} ${column}`, sizes[random.whole(0, sizes.length - 1)] ?? 0)),
  );
  const columns = places.map((column) => cells.flatMap((row) => row[column] ?? []));
  return [...cells.map((row) => row.flat()), ...columns];
}

/** A team of twelve, six times: some answer anew, the others' answers are posted again. */
function pulse(random: Random, anew: number): Group[] {
  const sheets = Array.from({ length: 12 }, (_, person) => `person ${person}`);
  return Array.from({ length: 6 }, (_, time) => {
    for (const [person, sheet] of sheets.entries()) {
      if (time === 0 || random.uniform() < anew) sheets[person] = `${sheet.split(",")[0]}, ${time}`;
    }
    return [...sheets];
  });
}

const organisations: readonly Organisation[] = [
  { what: "40 teams of 5 to 12, 8 departments, the company", draw: (random) => tree(random, [5, 12], false) },
  { what: "40 teams of 3 to 12, 8 departments, the company", draw: (random) => tree(random, [3, 12], false) },
  {
    what: "40 teams of 5 to 12, 8 departments with 0 to 8 people in no team, the company",
    draw: (random) => tree(random, [5, 12], true),
  },
  { what: "5 functions, 4 places, 5 to 20 people in each cell", draw: (random) => matrix(random, [5, 8, 12, 20]) },
  {
    what: "5 functions, 4 places, 0 to 20 people in a cell",
    draw: (random) => matrix(random, [0, 0, 1, 2, 3, 6, 8, 12, 20]),
  },
  { what: "a team of 12, 6 times, all answer anew", draw: (random) => pulse(random, 1) },
  { what: "a team of 12, 6 times, half of it answer anew", draw: (random) => pulse(random, 0.5) },
];

/** The share of the groups of five people or more that get numbers, of some organisations of each kind, in percent. */
export async function organisationFigures(
  random: Random,
  rounds: number,
): Promise<readonly { readonly what: string; readonly published: number }[]> {
  const figures = [];
  for (const { what, draw } of organisations) {
    let [all, published] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const toldGroups: Group[] = [];
      for (const group of draw(random)) {
        if (group.length < minPeople) continue;
        all += 1;
        if (await revealsFewerThan([...toldGroups, group], minPeople, async () => undefined)) continue;
        toldGroups.push(group);
      }
      published += toldGroups.length;
    }
    figures.push({ what, published: (100 * published) / all });
  }
  return figures;
}
