// Answers of people who answered with care, made of a worked case.
import { vector } from "../../values-bridge/quality/vectors.ts";

/** The attentive answers of a worked case, in asking order. */
export const attentive = vector<{ answers: readonly number[] }, unknown>("P04").input.answers;

/** Attentive answers, some of them a point higher or lower; the same for the same seed. */
export function attentiveAnswers(seed: number): number[] {
  return attentive.map((rating, place) => {
    const shift = ((place * 7919 + seed * 104_729) % 13) % 5 === 0 ? ((place + seed) % 2 === 0 ? 1 : -1) : 0;
    return Math.min(7, Math.max(1, rating + shift));
  });
}
