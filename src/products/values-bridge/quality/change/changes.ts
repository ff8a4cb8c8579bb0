// Changes of one person's answers from one session to another, statement by statement.
import { type Answers, answerTo, keyedAnswer } from "../../scoring/formulas/cells.ts";
import type { LifeContext } from "../../scoring/model.ts";
import type { Statement } from "../compile.ts";
import { certaintyOf } from "../error/certainty.ts";
import { pooledVariance, standardError, type Weights } from "../error/standard-error.ts";
import type { PooledVariance } from "../quality.ts";
import { pool, type Sample } from "../samples.ts";
import type { Change } from "./comparison.ts";
import type { MatchedStatement } from "./versions.ts";

/** Least number of statements of a value for a change. */
const leastStatements = 2;

/** What changes: a score in one life, or the gap between the two. */
export type Measure = LifeContext | "gap";

/** The changes of all values in one measure, with the variance that they are judged by. */
export interface MeasuredChanges {
  readonly variance: PooledVariance;
  /** In ascending value id; null if there is none. Unrounded. */
  readonly changes: readonly (Change | null)[];
  /** How many of them have an index. */
  readonly tested: number;
}

/** The statements of one value that are answered in both sessions: a sample of changes of keyed points. */
interface ChangeSums extends Sample, Weights {
  /** Sum of weight times change. */
  readonly weighted: number;
}

/**
 * Changes by `(100 / span) sum W e / sum W`, where `e` is the change of a statement's keyed points, or of their
 * difference between the two lives. Their standard error is that of a weighted mean, from the variance of `e` within
 * values, which is not below that of rounding its ratings.
 * @param statements of each value, in ascending value id
 * @param answers of the first and of the second session
 * @param isEligible whether the value at an index has the scores concerned in both sessions
 */
export function measureChanges(
  measure: Measure,
  statements: readonly (readonly MatchedStatement[])[],
  answers: readonly [Answers, Answers],
  isEligible: (index: number) => boolean,
  span: number,
): MeasuredChanges {
  const sums = statements.map((ofValue, index) => {
    if (!isEligible(index)) return null;
    const found = sumChanges(measure, ofValue, answers);
    return found.count < leastStatements ? null : found;
  });
  const known = sums.filter((each) => each !== null);
  const pooled = pooledVariance(pool(known), measure === "gap" ? 4 : 2);
  const changes = sums.map((each): Change | null => {
    if (each === null) return null;
    const change = ((100 / span) * each.weighted) / each.weight;
    if (pooled.variance === null) return { change, standardError: null, index: null, consistent: null };
    const error = standardError(pooled.variance, span, each);
    const index = change / error;
    return { change, standardError: error, index, consistent: certaintyOf(index, known.length) };
  });
  return { variance: pooled, changes, tested: pooled.variance === null ? 0 : known.length };
}

function sumChanges(
  measure: Measure,
  statements: readonly MatchedStatement[],
  [first, second]: readonly [Answers, Answers],
): ChangeSums {
  let [count, sum, squares, weight, squaredWeight, weighted] = [0, 0, 0, 0, 0, 0];
  for (const statement of statements) {
    const before = pointsOf(measure, statement.first, first);
    const after = pointsOf(measure, statement.second, second);
    if (before === null || after === null) continue;
    const change = after - before;
    // A statement has one weight in both lives.
    const w = statement.first.ideal.weight;
    count += 1;
    sum += change;
    squares += change * change;
    weight += w;
    squaredWeight += w * w;
    weighted += w * change;
  }
  return { count, sum, squares, weight, squaredWeight, weighted };
}

function pointsOf(measure: Measure, statement: Statement, answers: Answers): number | null {
  if (measure === "gap") {
    const ideal = pointsOf("ideal", statement, answers);
    const current = pointsOf("current", statement, answers);
    return ideal === null || current === null ? null : ideal - current;
  }
  const item = statement[measure];
  const answer = answerTo(item, answers);
  return answer === null ? null : keyedAnswer(item, answer);
}
