// P12 and P14: whole people at a time, and what is told of them everywhere.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { layoutNorms, type ValueLayout } from "../../../src/products/values-bridge/norms/layout.ts";
import { countSession, newSums } from "../../../src/products/values-bridge/norms/sums.ts";
import { keyedAnswer } from "../../../src/products/values-bridge/scoring/cells.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { attentive } from "../../support/values-bridge/attentive-people.ts";
import { assessorOf, builtIn } from "../../values-bridge/quality/models.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { openPeople, type People } from "./people.ts";
import { type Asker, type Cell, type NormReader, readers, valuesOf } from "./readers.ts";

const layout = layoutNorms(assessorOf(builtIn).compiled);
/** The value whose statements the cases are about. */
const value = (() => {
  const [first] = layout.values;
  if (first === undefined) throw new Error("no value");
  return first;
})();

let app: TestApp;
let people: People;
beforeAll(async () => {
  app = await startTestApp({ NORMS_HOUR: "-1" });
  people = openPeople(app);
});
afterAll(async () => {
  await people.close();
  await app.stop();
});

/** Attentive answers but for the first statements of the value, which get these keyed points. */
function answersWith(points: readonly number[], { items }: ValueLayout = value): number[] {
  const answers = [...attentive];
  points.forEach((point, place) => {
    const item = items[place];
    if (item === undefined) throw new Error(`no statement ${place}`);
    const ratings = Array.from({ length: item.max - item.min + 1 }, (_, step) => item.min + step);
    const rating = ratings.find((each) => keyedAnswer(item, each) === point);
    if (rating === undefined) throw new Error(`no rating gives ${point}`);
    answers[item.position] = rating;
  });
  return answers;
}

const toTwo = (expected: number) => Number(expected.toFixed(2));
const toFour = (expected: number) => Number(expected.toFixed(4));

test("P12: people add the whole numbers of the case, and without one of them those of the others", () => {
  const { input, expected } = vector<{ rows: number[][]; erase: number }, Record<"whole" | "afterErasure", unknown>>(
    "P12",
  );
  const accumulated = (rows: readonly (readonly number[])[]) => {
    const sums = newSums(layout);
    for (const row of rows) {
      countSession(layout, sums, { answers: answersWith(row), completedAt: new Date(0), isHosted: false });
    }
    const [of] = sums.values;
    return { n: sums.people, sums: of?.sums, products: of?.products.flatMap((row, i) => row.slice(i)) };
  };
  expect(accumulated(input.rows)).toEqual(expected.whole);
  expect(accumulated(input.rows.toSpliced(input.erase, 1))).toEqual(expected.afterErasure);
});

/** Has people of a new partner answer, and their numbers computed. */
async function askerOf(sheets: Readonly<Record<string, readonly number[]>>): Promise<Asker> {
  const as = await addCaller(app);
  const sessions = Object.entries(sheets).map(([externalId, answers]) => ({ externalId, answers }));
  await people.completeAll(as.partnerId, sessions);
  await people.compute();
  return as;
}

describe("norms by transport", () => {
  type Life = Pick<Cell, "alpha" | "lambda2"> & { itemRest: number[]; alphaIfDropped: number[] };
  interface Standing {
    readonly percentile: number;
    readonly halfWidth: number;
    readonly tScore: number;
    readonly rawPercentile: number;
    readonly rawTScore: number;
  }
  const p12 = vector<
    { rows: number[][] },
    { reliabilityWhole: Record<"ideal" | "current", Life> & { gapAlpha: number; meanIdeal: number; meanGap: number } }
  >("P12");
  const p14 = vector<{ histogram: number[]; sums: number[] }, { n: number; mean: number; sd: number; of: Standing[] }>(
    "P14",
  );
  let reliable: Asker;
  let ranked: Asker;
  beforeAll(async () => {
    // A hundred people have to be there before anything is told. Four of each row have the row's reliability.
    const rows = [1, 2, 3, 4].flatMap((copy) =>
      p12.input.rows.map((row, place) => [`person ${place}, ${copy}`, answersWith(row)]),
    );
    reliable = await askerOf(Object.fromEntries(rows));
    const withSum = p14.input.histogram.flatMap((total, sum) => {
      const points = [0, 1, 2, 3].map((place) => Math.floor((sum + place) / 4));
      return Array.from({ length: total }, (_, person) => [`person ${person} of ${sum}`, answersWith(points)]);
    });
    ranked = await askerOf(Object.fromEntries(withSum));
  });

  describe.each(Object.entries(readers))("%s", (_name, open) => {
    let reader: NormReader;
    beforeAll(() => {
      reader = open(app);
    });
    afterAll(() => reader.close());

    test("P12: the reliability of the case is returned", async () => {
      const [told] = valuesOf(await reader.norms(reliable));
      const wanted = p12.expected.reliabilityWhole;
      for (const life of ["ideal", "current"] as const) {
        const { alpha, lambda2, itemRest, alphaIfDropped } = wanted[life];
        expect([told?.[life].alpha, told?.[life].lambda2]).toEqual([toFour(alpha), toFour(lambda2)]);
        expect(told?.[life].statements.map((each) => each.itemRest)).toEqual(itemRest.map(toFour));
        expect(told?.[life].statements.map((each) => each.alphaIfDropped)).toEqual(alphaIfDropped.map(toFour));
      }
      expect(told?.gap.alpha).toBe(toFour(wanted.gapAlpha));
      expect([told?.ideal.mean, told?.gap.mean]).toEqual([toTwo(wanted.meanIdeal), toTwo(wanted.meanGap)]);
    });

    // The error of the case is that of an omega which these people do not have; P13 tells how it is made.
    test("P14: mean, standard deviation and percentiles of the case are returned, and the rank of a person", async () => {
      const [told] = valuesOf(await reader.norms(ranked));
      expect([told?.ideal.mean, told?.ideal.sd]).toEqual([toTwo(p14.expected.mean), toTwo(p14.expected.sd)]);
      for (const [place, sum] of p14.input.sums.entries()) {
        const wanted = p14.expected.of[place];
        if (wanted === undefined) throw new Error("no expectation");
        // Told as whole ranks, never 0 or 100.
        const percentile = Math.min(99, Math.max(1, Math.round(wanted.percentile)));
        expect(told?.ideal.percentiles[sum]).toBe(percentile);
        const quality = await reader.quality(ranked, `person 0 of ${sum}`);
        const { n, values } = (quality as { norms: { n: number; values: { ideal: Standing }[] } }).norms;
        const standing = values[0]?.ideal;
        expect([n, standing?.rawPercentile]).toEqual([p14.expected.n, percentile]);
        expect(Math.abs((standing?.rawTScore ?? 0) - wanted.tScore)).toBeLessThanOrEqual(0.011);
      }
    });
  });
});
