// How a persona answers: by the structure of a version alone. Wording plays no part, so the answers of a persona are the
// same for ever. Whole numbers and quotients only: no function of the platform that may differ in its last bit.
import type { Answers } from "../scoring/formulas/cells.ts";
import type { ScoringModel, ScoringQuestion } from "../scoring/model.ts";

/** What a persona holds of a value. */
export interface Attitude {
  /** How strongly they want it, and how far they live it: 0..1. */
  readonly ideal: number;
  readonly current: number;
}

/** Most that one answer differs from the attitude, in parts of the rating span: people are not of one piece. */
const jitterSpan = 1 / 12;

/**
 * A rating for each question, in the order of the model.
 * @param attitudeOf the place of a value on the circle, counted from 0, to what the persona holds of it
 */
export function answersBy(model: ScoringModel, attitudeOf: (place: number) => Attitude): Answers {
  const places = new Map(model.valueIds.map((id, place) => [id, place]));
  const asked = new Map<string, number>();
  return model.questions.map((question) => {
    const { valueId, lifeContext } = question;
    const cell = `${valueId} ${lifeContext}`;
    const item = asked.get(cell) ?? 0;
    asked.set(cell, item + 1);
    const place = places.get(valueId) ?? 0;
    return rating(question, attitudeOf(place)[lifeContext] + jitterSpan * jitter(place, item));
  });
}

/** The rating that says that much of a value. @param level 0..1; what lies outside is taken as the nearest end */
function rating({ inverse, min, max }: ScoringQuestion, level: number): number {
  const steps = Math.round(Math.min(1, Math.max(0, level)) * (max - min));
  return inverse ? max - steps : min + steps;
}

/** -1..1, looking like chance, and the same for both lives: who puts a statement high does so in each. */
function jitter(place: number, item: number): number {
  return (mixed(97 * place + item) % 2001) / 1000 - 1;
}

/** The whole numbers of 32 bits in another order, without a pattern that shows. */
export function mixed(number: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
