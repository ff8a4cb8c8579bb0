// P15: changes of a person, judged by people who answered again.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { openPeople, type People } from "./people.ts";
import { type Asker, type NormReader, readers } from "./readers.ts";
import { shifted, weighted } from "./sheets.ts";

interface Input {
  readonly basis: "retest" | "reliability";
  readonly change: number;
}
interface Judged {
  readonly standardError: number;
  readonly index: number;
  readonly reliable: boolean;
  readonly smallestReliableChange: number;
}

const { input, expected } = vector<Input[], Judged[]>("P15");
/** The case has judgements by reliability as well, which scoring's own tests hold. */
const judgements = input.flatMap((each, place): [Input, Judged][] => {
  const wanted = expected[place];
  return each.basis === "retest" && wanted !== undefined ? [[each, wanted]] : [];
});
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

let app: TestApp;
let people: People;
let as: Asker;
beforeAll(async () => {
  app = await startTestApp({ NORMS_HOUR: "-1" });
  await app.publish(definition);
  people = openPeople(app);
  as = await addCaller(app);
  await answerAgain();
  await people.compute();
  for (const [place] of judgements.entries()) await changeOwn(place);
});
afterAll(async () => {
  await people.close();
  await app.stop();
});

async function answerAgain(): Promise<void> {
  const second = retests.flatMap(([count, change]) => Array.from({ length: count }, () => change));
  const sessions = second.flatMap((change, place) => [
    { externalId: `person ${place}`, answers: shifted([]) },
    { externalId: `person ${place}`, answers: shifted(change), ms: 30 * dayMs },
  ]);
  await people.completeAll(as.partnerId, sessions);
}

/** Not counted, so that norms stay as they are. */
async function changeOwn(place: number): Promise<void> {
  const change = changes[String(judgements[place]?.[0].change)] ?? [];
  await people.complete(as.partnerId, `case ${place}`, shifted([]), { ms: 100 * dayMs });
  await people.complete(as.partnerId, `case ${place}`, shifted(change), { ms: 101 * dayMs });
}

describe.each(Object.entries(readers))("over %s", (_name, open) => {
  let reader: NormReader;
  beforeAll(() => {
    reader = open(app);
  });
  afterAll(() => reader.close());

  test.each(judgements.map(([{ change }, wanted], place) => [change, wanted, place] as const))(
    "P15: by people who answered again, a change of %f is judged as the case says",
    async (change, wanted, place) => {
      const { statements, norms } = (await reader.change(as, `case ${place}`)) as {
        statements: { values: { ideal: { change: number } }[] };
        norms: { basis: string; values: { ideal: Judged }[] };
      };
      expect([norms.basis, statements.values[0]?.ideal.change]).toEqual(["retest", change]);
      const { standardError, index, smallestReliableChange, reliable } = norms.values[0]?.ideal ?? wanted;
      expect(reliable).toBe(wanted.reliable);
      expect(Math.abs(standardError - wanted.standardError)).toBeLessThanOrEqual(0.005 + 1e-9);
      expect(Math.abs(index - wanted.index)).toBeLessThanOrEqual(0.00005 + 1e-9);
      expect(Math.abs(smallestReliableChange - wanted.smallestReliableChange)).toBeLessThanOrEqual(0.005 + 1e-9);
    },
  );
});
