// P13: people whose answers covary exactly as the matrices of the case, with its weights and without.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { openPeople } from "./people.ts";
import { type Asker, type NormReader, readers, valuesOf } from "./readers.ts";
import { attentiveBut, middle, weighted } from "./sheets.ts";

interface Expected {
  readonly omega: number | null;
  readonly weightedOmega?: number;
}

const { input, expected } = vector<{ C: number[][]; weights: number[] }[], Expected[]>("P13");
const people = 120;

/** How many people answer each so far from the middle, and as many so far on the other side. */
const deviations = [
  [
    [4, [0, 2, -1, -1]],
    [4, [1, -1, -3, 2]],
    [4, [1, 3, -3, 3]],
    [4, [2, -3, 0, 3]],
    [4, [2, -3, 3, -2]],
    [4, [3, -1, -2, 0]],
    [4, [3, 0, -2, -1]],
    [4, [3, 2, 3, 3]],
    [4, [3, 3, -1, -3]],
    [4, [3, 3, 3, -3]],
    [20, [3, 3, 3, 3]],
  ],
  [
    [4, [0, 0, 1, 1]],
    [4, [0, 0, 1, 2]],
    [4, [0, 1, -1, 0]],
    [4, [0, 3, 1, 0]],
    [4, [0, 3, 3, -3]],
    [4, [1, 0, 0, -1]],
    [8, [1, 0, 2, 1]],
    [4, [2, 0, 0, -3]],
    [4, [2, 0, 0, -1]],
    [4, [2, 3, -3, 3]],
    [4, [3, 0, 0, -2]],
    [8, [3, 2, 3, 3]],
  ],
  [
    [15, [1, -1, 3, 1]],
    [15, [1, 1, 1, 3]],
    [15, [3, 3, 1, 3]],
    [15, [3, 3, 3, -1]],
  ],
] as const;

/** What each person answers to the statements of each matrix; those left over answer in the middle. */
const answered: number[][][] = deviations.map((kinds) => {
  const rows = kinds.flatMap(([count, row]) =>
    Array.from({ length: count }, () => [[...row], row.map((each) => -each)]),
  );
  const whole = rows.flat();
  return [...whole, ...Array.from({ length: people - whole.length }, () => [0, 0, 0, 0])];
});

// Two values for each matrix: one whose statements weigh alike, one with the weights of the case.
const definition = weighted(input.flatMap(({ weights }) => [[1, 1, 1, 1], weights]));

let app: TestApp;
let as: Asker;
beforeAll(async () => {
  app = await startTestApp({ NORMS_HOUR: "-1" });
  await app.publish(definition);
  as = await addCaller(app);
  const population = openPeople(app);
  const sessions = Array.from({ length: people }, (_, person) => {
    const answers = attentiveBut(({ value, item, life }) => {
      const deviation = answered[Math.floor(value / 2)]?.[person]?.[item];
      return deviation === undefined || life === "current" ? undefined : middle + deviation;
    });
    return { externalId: `person ${person}`, answers };
  });
  await population.completeAll(as.partnerId, sessions);
  await population.compute();
  await population.close();
});
afterAll(() => app.stop());

test("P13: the people covary as the matrices of the case", () => {
  for (const [place, { C }] of input.entries()) {
    const rows = answered[place] ?? [];
    const products = C.map((row, i) =>
      row.map((_, j) => rows.reduce((sum, each) => sum + (each[i] ?? 0) * (each[j] ?? 0), 0)),
    );
    const scale = (products[0]?.[0] ?? 0) / (C[0]?.[0] ?? 1);
    expect(rows).toHaveLength(people);
    for (const [i, row] of C.entries()) {
      for (const [j, each] of row.entries()) expect(products[i]?.[j]).toBeCloseTo(scale * each, 9);
    }
  }
});

describe.each(Object.entries(readers))("over %s", (_name, open) => {
  let reader: NormReader;
  beforeAll(() => {
    reader = open(app);
  });
  afterAll(() => reader.close());

  test("P13: omega is told as the case says, with weights and without", async () => {
    const told = valuesOf(await reader.norms(as)).slice(0, 2 * input.length);
    const toFour = (omega: number | null | undefined) => (omega == null ? null : Number(omega.toFixed(4)));
    const wanted = expected.flatMap(({ omega, weightedOmega }) => [toFour(omega), toFour(weightedOmega)]);
    expect(told.map(({ ideal }) => ideal.omega)).toEqual(wanted);
    // The error of measurement is made of omega; of alpha where there is none.
    for (const { ideal } of told) {
      const error = ideal.sd * Math.sqrt(1 - (ideal.omega ?? ideal.alpha));
      expect(Math.abs(ideal.standardError - error)).toBeLessThan(0.02);
    }
  });
});
