// People who answer: with values of their own, and with the slips and habits that answers have.

import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import {
  arrangeQuestions,
  toQualityModel,
  toScoringModel,
} from "../../../src/products/values-bridge/definition/questions.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import type { ArrivalTimes } from "../../../src/products/values-bridge/quality/model.ts";
import type { Quality } from "../../../src/products/values-bridge/quality/quality.ts";
import type { ReportInput } from "../../../src/products/values-bridge/report/report-input.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A standard normal number (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** What a person would answer to a statement, in points of the scale from its lowest, and how much single answers vary. */
export interface Person {
  readonly wanted: (place: number) => number;
  readonly lived: (place: number) => number;
  readonly spread: number;
  /** Share of statements without an answer, in each of the two lives. */
  readonly missing: readonly [number, number];
}

/** The answers of a person to all questions of a definition, in their order. */
export function answersOf(definition: Definition, person: Person, random: () => number): (number | null)[] {
  const places = new Map(definition.values.map(({ id }, place) => [id, place]));
  return arrangeQuestions(definition, 1).map(({ valuesBridgeConfig, likertConfig: { min, max } }) => {
    const { valueId, lifeContext, inverse } = valuesBridgeConfig;
    const place = places.get(valueId) ?? 0;
    const isIdeal = lifeContext === "ideal";
    const level = (isIdeal ? person.wanted : person.lived)(place) + person.spread * normal(random);
    const points = Math.min(max - min, Math.max(0, Math.round(level)));
    return random() < person.missing[isIdeal ? 0 : 1] ? null : inverse ? max - points : min + points;
  });
}

/** Somebody whose wishes have a direction on the circle and whose life follows them more or less. */
export function somebody(size: number, span: number, random: () => number): Person {
  const level = span * (0.62 + 0.07 * normal(random));
  const direction = 2 * Math.PI * random();
  const strength = span * (0.04 + 0.16 * random());
  const distance = span * 0.28 * random();
  const ideals = Array.from({ length: size }, (_, place) => {
    return level + strength * Math.cos((2 * Math.PI * place) / size - direction) + span * 0.07 * normal(random);
  });
  const lived = ideals.map((each) => each - span * 0.04 + distance * normal(random));
  const none: readonly [number, number] = [0, 0];
  const missing = random() < 0.85 ? none : random() < 0.5 ? ([0.4 * random(), 0.7 * random()] as const) : none;
  return { wanted: (place) => ideals[place] ?? 0, lived: (place) => lived[place] ?? 0, spread: 0.13 * span, missing };
}

/** Somebody who gives one answer throughout, or any, or stops after a few. */
export function carelessOne(span: number, random: () => number): Person {
  const kind = random();
  const same = Math.floor(random() * (span + 1));
  if (kind < 0.4) return { wanted: () => same, lived: () => same, spread: 0, missing: [0, 0] };
  const any = { wanted: () => span / 2, lived: () => span / 2, spread: span };
  return { ...any, missing: kind < 0.7 ? [0, 0] : [0.8, 0.95] };
}

/** The 1,000 people of the tests: most of them attentive, some of them not. */
export function population(definition: Definition, count: number, seed: number): (number | null)[][] {
  const random = randomOf(seed);
  const { min, max } = definition.scale;
  return Array.from({ length: count }, () => {
    const person =
      random() < 0.06 ? carelessOne(max - min, random) : somebody(definition.values.length, max - min, random);
    return answersOf(definition, person, random);
  });
}

/** The input of the report on these answers. */
export function inputOf(
  definition: Definition,
  answers: readonly (number | null)[],
  more: Partial<ReportInput> = {},
): ReportInput {
  const scorer = compileScoring(toScoringModel(definition, arrangeQuestions(definition, 1)));
  return {
    definition,
    assessmentVersion: 1,
    explanation: { explainsResults: true, ...scorer.explain(answers) },
    session: { id: "0193527a-8d2c-7c31-9f0e-5b1f6a2d4c11", completedAt: new Date(Date.UTC(2026, 10, 21, 9, 30)) },
    locales: ["en"],
    ...more,
  };
}

/** The quality block of these answers. @param times when they arrived; null if that is not known */
export function qualityOf(
  definition: Definition,
  answers: readonly (number | null)[],
  times: ArrivalTimes | null = null,
): Quality {
  return compileQuality(toQualityModel(definition, arrangeQuestions(definition, 1))).assess(answers, times);
}

/** When 152 answers arrived of somebody who took so long for each, in eight calls of 19. */
export function answeredEvery(seconds: number): ArrivalTimes {
  const start = Date.UTC(2026, 10, 21, 9);
  const lastAnswerAt = new Date(start + 133 * seconds * 1000);
  return { firstAnswerAt: new Date(start), lastAnswerAt, answerCalls: 8, firstCallAnswers: 19 };
}
