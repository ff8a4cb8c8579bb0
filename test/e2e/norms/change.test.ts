// P15: changes of a person, judged by people who answered again, or else by the error of measurement.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { openPeople, type People } from "./people.ts";
import { type Asker, type NormReader, readers, valuesOf } from "./readers.ts";
import { shifted, weighted } from "./sheets.ts";

interface Input {
  readonly basis: "retest" | "reliability";
  readonly change: number;
  readonly mean: number;
  readonly sd: number;
  readonly sem1: number;
  readonly sem2: number;
}
interface Judged {
  readonly standardError: number;
  readonly index: number;
  readonly reliable: boolean;
  readonly smallestReliableChange: number;
}

const { input, expected } = vector<Input[], Judged[]>("P15");
const dayMs = 24 * 60 * 60 * 1000;

/** With these weights of the first value, a point of a statement is 4.5, 8, 1 or 19/6 points of its score. */
const definition = weighted([[0.27, 0.48, 0.06, 0.19]]);

/** How the answers of a person to that value change, for each change of the case. */
const changes: Readonly<Record<string, readonly number[]>> = {
  "12.5": [1, 1, 0, 0],
  "-9": [0, -1, -1, 0],
  "-15": [0, -2, 1, 0],
  "8": [0, 1, 0, 0],
};

/** How many people change so much when they answer again: 1.2 points on average, with a standard deviation of 6.1. */
const retests = [
  [15, [1, 1, 0, 0]],
  [15, [0, 1, 0, 0]],
  [33, [-1, 0, 0, 0]],
  [3, [0, -1, -1, 0]],
  [44, [0, 0, 0, 0]],
] as const;

/** Of 121 people, how many pairs differ on all statements alike, and on each alone: what makes this error. */
const errorsOf = {
  "3.35": { together: 20, alone: [7, 7, 5, 8] },
  "3.81": { together: 20, alone: [8, 10, 7, 6] },
} as const;

let app: TestApp;
let people: People;
const askers = new Map<string, Asker>();
beforeAll(async () => {
  app = await startTestApp({ NORMS_HOUR: "-1" });
  await app.publish(definition);
  people = openPeople(app);
  for (const name of ["retest", ...Object.keys(errorsOf)]) {
    askers.set(name, await addCaller(app));
  }
  await answerAgain();
  for (const [name, pairs] of Object.entries(errorsOf)) await answerWithError(name, pairs);
  await people.compute();
  for (const [place] of input.entries()) await changeOwn(place);
});
afterAll(async () => {
  await people.close();
  await app.stop();
});

function askerOf(name: string): Asker {
  const found = askers.get(name);
  if (found === undefined) throw new RangeError(`no partner ${name}`);
  return found;
}

async function answerAgain(): Promise<void> {
  const second = retests.flatMap(([count, change]) => Array.from({ length: count }, () => change));
  const sessions = second.flatMap((change, place) => [
    { externalId: `person ${place}`, answers: shifted([]) },
    { externalId: `person ${place}`, answers: shifted(change), ms: 30 * dayMs },
  ]);
  await people.completeAll(askerOf("retest").partnerId, sessions);
}

async function answerWithError(name: string, { together, alone }: (typeof errorsOf)[keyof typeof errorsOf]) {
  const kinds = [
    ...Array.from({ length: together }, () => [1, 1, 1, 1]),
    ...alone.flatMap((pairs, item) =>
      Array.from({ length: pairs }, () => [0, 1, 2, 3].map((i) => (i === item ? 1 : 0))),
    ),
  ];
  const rows = kinds.flatMap((row) => [row, row.map((each) => -each)]);
  const sessions = Array.from({ length: 121 }, (_, person) => {
    return { externalId: `person ${person}`, answers: shifted(rows[person] ?? []) };
  });
  await people.completeAll(askerOf(name).partnerId, sessions);
}

/** The partner with the norms of a judgement: people who answered again, or the error that makes the same one. */
function normsOf({ basis, sem1, sem2 }: Input): string {
  return basis === "retest" ? basis : Math.sqrt((sem1 ** 2 + sem2 ** 2) / 2).toFixed(2);
}

/** Not counted, so that norms stay as they are. */
async function changeOwn(place: number): Promise<void> {
  const each = input[place];
  if (each === undefined) throw new RangeError(`no judgement ${place}`);
  const { partnerId } = askerOf(normsOf(each));
  await people.complete(partnerId, `case ${place}`, shifted([]), { ms: 100 * dayMs });
  await people.complete(partnerId, `case ${place}`, shifted(changes[String(each.change)] ?? []), { ms: 101 * dayMs });
}

describe.each(Object.entries(readers))("over %s", (_name, open) => {
  let reader: NormReader;
  beforeAll(() => {
    reader = open(app);
  });
  afterAll(() => reader.close());

  test.each(input.map((each, place) => [each.basis, each.change, place] as const))(
    "P15: by %s, a change of %f is judged as the case says",
    async (basis, change, place) => {
      const [each, wanted] = [input[place], expected[place]];
      if (each === undefined || wanted === undefined) throw new RangeError(`no judgement ${place}`);
      const as = askerOf(normsOf(each));
      const { statements, norms } = (await reader.change(as, `case ${place}`)) as {
        statements: { values: { ideal: { change: number } }[] };
        norms: { basis: string; values: { ideal: Judged }[] };
      };
      expect([norms.basis, statements.values[0]?.ideal.change]).toEqual([basis, change]);
      const judged = norms.values[0]?.ideal;
      expect(judged?.reliable).toBe(wanted.reliable);
      // Both sessions are of one version and language, and so of one error of measurement; it is told with two
      // decimals, to which everything else follows.
      const tolerance = basis === "retest" ? 0 : 0.005 / Number(normsOf(each));
      const decimals = { standardError: 0.005, index: 0.00005, smallestReliableChange: 0.005 };
      for (const [name, half] of Object.entries(decimals)) {
        const number = wanted[name as keyof typeof decimals];
        const difference = Math.abs((judged?.[name as keyof typeof decimals] ?? Number.NaN) - number);
        expect(difference, name).toBeLessThanOrEqual(tolerance * Math.abs(number) + half + 1e-9);
      }
    },
  );

  test.each(Object.keys(errorsOf))("P15: the error of measurement %s is told", async (name) => {
    const [value] = valuesOf(await reader.norms(askerOf(name)));
    expect(value?.ideal.standardError).toBe(Number(name));
  });
});
