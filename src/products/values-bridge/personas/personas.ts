// Personas: simulated people for test data. A persona always gives the same answers.
import type { Answers } from "../scoring/cells.ts";
import type { ScoringModel, ScoringQuestion } from "../scoring/model.ts";
import type { Scorer } from "../scoring/score.ts";

/** Number of distances between the lives that are tried for an archetype, from 0 to half of the scale. */
const distanceCount = 48;

/**
 * The personas of a version.
 * - `archetype-N`: an attentive person with archetype N
 * - `null-scores`: answers too few values for scores of pairings, their totals and an archetype
 * - `one-answer`: answers only the first question, so that no value has a score
 * - `straight-line`: rates every statement in the middle of the scale
 * - `contradictory`: pseudo-random ratings
 */
export function compilePersonas(model: ScoringModel, scorer: Scorer) {
  const makers = new Map<string, () => Answers | undefined>();
  for (const { id, direction } of model.archetypes) {
    makers.set(`archetype-${id}`, () => answerAsArchetype(model, scorer, id, direction));
  }
  makers.set("null-scores", () => answerFewValues(model));
  makers.set("one-answer", () => model.questions.map(({ max }, index) => (index === 0 ? max : null)));
  makers.set("straight-line", () => model.questions.map(({ min, max }) => Math.floor((min + max) / 2)));
  makers.set("contradictory", () =>
    model.questions.map(({ min, max }, index) => min + (mixBits(index) % (max - min + 1))),
  );
  const answersByName = new Map<string, Answers | undefined>();
  return {
    names: [...makers.keys()] as readonly string[],
    /** A rating for each question; undefined for an unknown name, and for an archetype without a persona. */
    findAnswers(name: string): Answers | undefined {
      // Cached: finding the answers of an archetype takes dozens of scorings.
      if (!answersByName.has(name) && makers.has(name)) answersByName.set(name, makers.get(name)?.());
      return answersByName.get(name);
    },
  };
}

/** Answers with the archetype, at the middle one of the distances that lead to it. */
function answerAsArchetype(
  model: ScoringModel,
  scorer: Scorer,
  archetypeId: number,
  direction: "focused" | "plural",
): Answers | undefined {
  const fitting: Answers[] = [];
  for (let distance = 0; distance <= distanceCount; distance += 1) {
    const away = distance / (2 * distanceCount);
    const answers = answerByAttitude(model, (place) => computeAttitude(place, model.valueIds.length, direction, away));
    if (scorer.score(answers).overall.archetypeId === archetypeId) fitting.push(answers);
  }
  return fitting[Math.floor(fitting.length / 2)];
}

/**
 * Focused people want the values of one side of the circle, plural ones those of two opposite sides.
 * @param away distance of the life they have from the life they want, 0..0.5
 */
function computeAttitude(place: number, values: number, direction: "focused" | "plural", away: number): Attitude {
  const turns = direction === "focused" ? 1 : 2;
  const ideal = 0.1 + 0.85 * computeWave((turns * place) / values);
  return { ideal, current: ideal >= away ? ideal - away : ideal + away };
}

/** A triangle wave: 1 at whole turns, 0 halfway between them. */
function computeWave(turns: number): number {
  return Math.abs(1 - 2 * (turns - Math.floor(turns)));
}

/** Answers to one value fewer than a personal average needs. */
function answerFewValues(model: ScoringModel): Answers {
  const answeredValues = new Set(model.valueIds.slice(0, model.constants.minBaselineValues - 1));
  const whole = answerByAttitude(model, (place) => computeAttitude(place, model.valueIds.length, "focused", 0.1));
  return whole.map((rating, index) => {
    const valueId = model.questions[index]?.valueId;
    return valueId !== undefined && answeredValues.has(valueId) ? rating : null;
  });
}

/** The attitude of a persona towards a value. */
export interface Attitude {
  /** The shares of wanting it and of living it, 0..1. */
  readonly ideal: number;
  readonly current: number;
}

/** Largest deviation of an answer from the attitude, as a share of the rating span. */
const jitterSpan = 1 / 12;

/**
 * A rating for each question, in the order of the model.
 * @param findAttitude the attitude towards the value at a place on the circle, counted from 0
 */
function answerByAttitude(model: ScoringModel, findAttitude: (place: number) => Attitude): Answers {
  const places = new Map(model.valueIds.map((id, place) => [id, place]));
  const itemCounts = new Map<string, number>();
  return model.questions.map((question) => {
    const { valueId, lifeContext } = question;
    const cell = `${valueId} ${lifeContext}`;
    const item = itemCounts.get(cell) ?? 0;
    itemCounts.set(cell, item + 1);
    const place = places.get(valueId) ?? 0;
    return toRating(question, findAttitude(place)[lifeContext] + jitterSpan * computeJitter(place, item));
  });
}

/** The rating for a level of a value. @param level 0..1; values outside are clamped */
function toRating({ inverse, min, max }: ScoringQuestion, level: number): number {
  const steps = Math.round(Math.min(1, Math.max(0, level)) * (max - min));
  return inverse ? max - steps : min + steps;
}

/** A pseudo-random number, -1..1; the same for a statement in both lives. */
function computeJitter(place: number, item: number): number {
  return (mixBits(97 * place + item) % 2001) / 1000 - 1;
}

/** A 32-bit integer hash (the finaliser of MurmurHash3). */
function mixBits(number: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
