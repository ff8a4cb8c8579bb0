// Reports of made-up people, and answers that come to scores of one's choice.

import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import type { Flag } from "../../../src/products/values-bridge/quality/quality.ts";
import { createReportModel } from "../../../src/products/values-bridge/report/report.ts";
import type { ReportInput, ReportQuality } from "../../../src/products/values-bridge/report/report-input.ts";
import type { ReportModel } from "../../../src/products/values-bridge/report/report-model.ts";
import { answersWith as madeUpAnswers, type Points } from "../../../tools/docs/made-up-answers.ts";
import { longForm } from "../values-bridge/short-form.ts";
import { inputOf, population, randomOf } from "../values-bridge/simulated-people.ts";
import { namedForm, someName } from "./long-names.ts";

export const neutralBranding = { displayName: null, accentColor: null, logoUrl: null };

/** One cause, the most sentences: what answers that hardly separate the values are graded. */
export const cautionFlags: readonly Flag[] = (["opposites", "consistency", "secondBlock"] as const).map((index) => ({
  index,
  level: "warn",
}));

/** Quality of answers with this grade, without flags and without an error unless they are given. */
export function qualityWith(
  response: Partial<ReportQuality["response"]> & Pick<ReportQuality["response"], "grade">,
  error: ReportQuality["error"] = null,
): ReportQuality {
  return { response: { flags: [], longestRun: 4, secondsPerAnswer: null, ...response }, error };
}

/** The points that all values have unless a test says otherwise: a score of one half. */
const middle: Points = [12, 12];

/**
 * Answers to the shipped definition by which values have these points, out of 24: a score of `points / 24`, and a step of
 * difference for each 4 of them.
 * @param points by value id
 */
export function answersWith(points: Readonly<Record<number, Points>>, others: Points = middle): (number | null)[] {
  return madeUpAnswers(longForm(), points, others);
}

/** The report on these points. */
export function reportWith(
  points: Readonly<Record<number, Points>>,
  more: Partial<ReportInput> = {},
  others?: Points,
): ReportModel {
  return createReportModel(inputOf(longForm(), answersWith(points, others), more));
}

/**
 * Two sheets of one person that differ in the statements on one value alone: all of them go from one end of the scale to
 * the other, 6 steps in both lives.
 */
export function changedSheets(valueId: number): Readonly<Record<"before" | "after", readonly (number | null)[]>> {
  const [person = []] = population(longForm(), 1, 12);
  const [lowest, highest] = [answersWith({ [valueId]: [0, 0] }), answersWith({ [valueId]: [24, 24] })];
  const moveTo = (to: readonly (number | null)[]) =>
    person.map((own, index) => (lowest[index] === highest[index] ? own : (to[index] ?? null)));
  return { before: moveTo(lowest), after: moveTo(highest) };
}

/** A value of a report. */
export function valueIn({ values }: ReportModel, valueId: number) {
  const value = values.find((each) => each.valueId === valueId);
  if (value === undefined) throw new Error(`no value ${valueId}`);
  return value;
}

/** Reports on 500 people with names of up to 30 characters for their values, half of them in German. */
export function randomReports(count: number, seed: number): ReportModel[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, index) => {
    const names = new Set<string>();
    while (names.size < 19) names.add(someName(random, index % 3 === 0 ? 20 : 3));
    const list = [...names];
    const definition = namedForm((place) => list[place] ?? "");
    return createReportModel(
      inputOf(definition, someAnswers(definition, random, index), { locales: [index % 2 ? "de" : "en"] }),
    );
  });
}

/** Answers of every kind: of people, of chance, with ties, with scores of 0 and 1, with few or none. */
function someAnswers(definition: Definition, random: () => number, index: number): (number | null)[] {
  const [person = []] = population(definition, 1, index + 1);
  const kind = index % 6;
  const missing = kind === 1 ? random() : 0;
  return person.map((answer) => {
    if (random() < missing) return null;
    if (kind === 2) return random() < 0.5 ? 1 : 7;
    if (kind === 3) return 1 + Math.floor(7 * random());
    return kind === 4 && random() < 0.4 ? 7 : answer;
  });
}
