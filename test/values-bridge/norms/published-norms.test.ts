// What norms tell of the same people is the same in every release, to the last digit: numbers are stored, and compared with
// those of later people. sums.test.ts and vectors.test.ts say that they are right.
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { gradeCuts } from "../../../src/products/values-bridge/definition/forms.ts";
import { layoutNorms, type NormLayout } from "../../../src/products/values-bridge/norms/layout.ts";
import { normNumbers, retestNumbers } from "../../../src/products/values-bridge/norms/numbers.ts";
import { reliableChanges } from "../../../src/products/values-bridge/norms/reliable-changes.ts";
import { standingsAmongOwn } from "../../../src/products/values-bridge/norms/standing.ts";
import {
  type Contribution,
  countRetest,
  countSession,
  newRetestSums,
  newSums,
  type Sums,
} from "../../../src/products/values-bridge/norms/sums.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { compareSessions } from "../../../src/products/values-bridge/quality/change.ts";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { questionnaire, scoringModel } from "../../support/values-bridge/scoring-model.ts";
import { normal, randomOf } from "../../support/values-bridge/simulated-people.ts";
import { assessorOf, builtIn } from "../quality/models.ts";

/** A layout over questions of which the second half repeats the statements of the first. */
function assessorOver(questions: readonly ScoringQuestion[]) {
  const half = questions.length / 2;
  const statements = questions.slice(0, half).map(({ valueId }, index) => {
    return { valueId, predicate: `statement ${index + 1}`, ideal: index, current: half + index };
  });
  const all = scoringModel(questions);
  const valueIds = all.valueIds.filter((id) => questions.some(({ valueId }) => valueId === id));
  const pairings = all.pairings.filter(({ values }) => values.every((id) => valueIds.includes(id)));
  return compileQuality({ scoring: { ...all, valueIds, pairings }, statements, cuts: gradeCuts.long });
}

const weights = Array.from({ length: 76 }, (_, index) => 1 + (index % 4) * 0.37);
const ofOne = Array.from({ length: 76 }, (_, index) => (index % 4 === 0 ? 1 : 0));
const assessors = {
  "the instrument": () => assessorOf(builtIn),
  "unequal weights": () => assessorOver(questionnaire({ omegaWeights: weights })),
  "nine values": () => assessorOver(questionnaire().filter(({ valueId }) => valueId < 10)),
  "one statement a value": () => assessorOver(questionnaire({ omegaWeights: ofOne })),
};

/** Answers of a person with a level of its own for each value and life, and a little of its own for each statement. */
function answersOf({ compiled }: NormLayout, person: number, sheet = 0): number[] {
  const [ofValues, ofStatements] = [randomOf(1 + person), randomOf(1_000_000 + 7 * person + sheet)];
  const levels = new Map(
    compiled.scoring.valueIds.map((id) => {
      const ideal = 3.4 + 1.3 * normal(ofValues);
      return [id, { ideal, current: ideal - 0.4 + 0.9 * normal(ofValues) }];
    }),
  );
  return compiled.scoring.model.questions.map(({ valueId, lifeContext, inverse }) => {
    const level = levels.get(valueId)?.[lifeContext] ?? 3;
    const points = Math.min(6, Math.max(0, Math.round(level + 0.8 * normal(ofStatements))));
    return inverse ? 7 - points : 1 + points;
  });
}

function contribution(answers: Contribution["answers"], person: number): Contribution {
  const completedAt = new Date(Date.UTC(2020 + (person % 3) * 40, person % 12, 1));
  return { answers, completedAt, isHosted: person % 4 === 0 };
}

/** The sums of so many people. @param alike whether all of them answer as the first one */
function sumsOf(layout: NormLayout, people: number, alike: boolean): Sums {
  const sums = newSums(layout);
  for (let person = 0; person < people; person += 1) {
    countSession(layout, sums, contribution(answersOf(layout, alike ? 0 : person), person));
  }
  return sums;
}

/** The order of members is no difference. */
const sortMembers = (_: string, json: unknown) =>
  json !== null && typeof json === "object" && !Array.isArray(json)
    ? Object.fromEntries(Object.entries(json).toSorted())
    : json;
const digest = (numbers: unknown) => hash("sha256", JSON.stringify(numbers, sortMembers), "hex").slice(0, 12);

describe.each<[keyof typeof assessors, boolean, number, ...pinned: string[]]>([
  ["the instrument", false, 120, "621f79512e99", "f401e2ed77c4", "a7bed56624b8", "cec3c5ac8707"],
  ["the instrument", false, 99, "ed36951c2c49", "57f4c7943e8a", "8238f4be58e3", "9093fd0e6f0d"],
  ["the instrument", true, 120, "81bdfbaa0fe6", "01b92d20ea0e", "e583a68d166a", "2fcd53c6967d"],
  ["unequal weights", false, 120, "801379aeba93", "71db1fe25b60", "176c3d0d9f39", "b2e5d8e46ae7"],
  ["nine values", false, 120, "da733867f68a", "a7e8d9d5daf1", "c57dff78bf51", "fc36599ff3cc"],
  ["one statement a value", false, 120, "111772f5c6f5", "4ed50b64c033", "87a556ffe36a", "2fcd53c6967d"],
])("norms of %s, people alike: %s, %i of them", (name, alike, people, ...pinned) => {
  test("numbers, ranks and changes are the same as in every release", () => {
    const assessor = assessors[name]();
    const layout = layoutNorms(assessor.compiled);
    const sums = sumsOf(layout, people, alike);
    const numbers = normNumbers(layout, sums);
    const retests = newRetestSums(layout);
    for (let person = 0; person < people; person += 1) {
      countRetest(layout, retests, [answersOf(layout, person), answersOf(layout, person, alike ? 0 : 1)]);
    }
    const changes = retestNumbers(layout, retests);
    const whole = [0, 7, 500].map((person) => answersOf(layout, person));
    const ends = [1, 7].map((rating) =>
      assessor.compiled.scoring.model.questions.map(({ inverse }) => (inverse ? 8 - rating : rating)),
    );
    const gaps = whole.map((sheet) => sheet.map((answer, place) => (place % 9 === 0 ? null : answer)));
    const sheets = [...whole, ...ends, ...gaps];
    const [first = [], second = []] = whole;
    const comparisons = [second, gaps[0] ?? []].map((other) => {
      const sides = [first, other] as const;
      const [one, two] = sides.map((answers) => ({ assessor, answers, times: null }));
      if (one === undefined || two === undefined) throw new Error("two are compared");
      const compared = compareSessions(one, two);
      return [
        reliableChanges(layout, compared, sides, { basis: "reliability", numbers }),
        reliableChanges(layout, compared, sides, { basis: "retest", numbers: changes }),
      ];
    });
    const errorsOf = (sheet: Contribution["answers"]) => assessor.assess(sheet, null).error?.values ?? [];
    const places = sheets.map((sheet) => standingsAmongOwn(layout, numbers, people, sheet, errorsOf(sheet)));
    expect([numbers, changes, places, comparisons].map(digest)).toEqual(pinned);
  });
});
