// Differences between the two lives, statement by statement.
import { type Answers, answerTo, keyedAnswer } from "../../scoring/formulas/cells.ts";
import type { Statement } from "../compile.ts";
import type { Sample } from "../statistics/samples.ts";
import type { Weights } from "./standard-error.ts";

/** The pairs of one value that are answered in both lives: a sample of ideal minus current keyed points. */
export interface PairSums extends Sample, Weights {
  /** Whether exactly the same statements are answered in both lives. */
  readonly isWhole: boolean;
}

/** Sums up the pairs of one value. */
export function sumPairs(statements: readonly Statement[], answers: Answers): PairSums {
  let count = 0;
  let sum = 0;
  let squares = 0;
  let weight = 0;
  let squaredWeight = 0;
  let isWhole = true;
  for (const { ideal, current } of statements) {
    const wanted = answerTo(ideal, answers);
    const lived = answerTo(current, answers);
    if (wanted === null || lived === null) {
      if (wanted !== lived) isWhole = false;
      continue;
    }
    const difference = keyedAnswer(ideal, wanted) - keyedAnswer(current, lived);
    count += 1;
    sum += difference;
    squares += difference * difference;
    weight += ideal.weight;
    squaredWeight += ideal.weight * ideal.weight;
  }
  return { count, sum, squares, weight, squaredWeight, isWhole };
}
