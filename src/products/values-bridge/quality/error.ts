// The error of one session: how much other statements about the same values could have changed.
import jstat from "jstat";
import { type Answers, type Item, readAnswer } from "../scoring/cells.ts";
import { type Evaluation, evaluateScores, type ScoreEvaluation, scoreCells, toScores } from "../scoring/evaluate.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { Gap, TotalGap } from "../scoring/shapes.ts";
import type { CompiledQuality, Statement } from "./compile.ts";
import type { GapError, ScoreError, SessionError, Stability, TotalGapError, Variances } from "./quality.ts";
import { type EvaluatedAnswers, listWeightedPoints, measurePoints } from "./read-answers.ts";
import {
  centreScores,
  computePooledVariance,
  computeStandardError,
  findCriticalT,
  findCriticalValue,
  poolDeviations,
  toCertainty,
  toWeightedSample,
  type WeightedSample,
  z95,
} from "./statistics.ts";

/** Estimates the error of a session. Unrounded. */
export function estimateError(compiled: CompiledQuality, session: EvaluatedAnswers): SessionError {
  const { scoring, scale, statements, isShort, minDf } = compiled;
  const { answers, scoredCells, evaluation } = session;
  const { gaps, totalGap } = evaluation;
  const pairs = statements.map((valueStatements) => sumPairs(valueStatements, answers));
  // A short form has one variance for both lives.
  const bothLives = [...scoredCells.ideal, ...scoredCells.current];
  const variance: Variances = {
    ideal: computePooledVariance(poolDeviations(isShort ? bothLives : scoredCells.ideal), 1, minDf),
    current: computePooledVariance(poolDeviations(isShort ? bothLives : scoredCells.current), 1, minDf),
    gap: computePooledVariance(poolDeviations(pairs.filter((_, index) => at(gaps, index) !== null)), 2, minDf),
  };
  const ideal = estimateScores(compiled, session, "ideal", variance.ideal.variance);
  const current = estimateScores(compiled, session, "current", variance.current.variance);
  const gapErrors = pairs.map((pair, index) => {
    if (pair.isWhole) return variance.gap.variance && computeStandardError(variance.gap.variance, scale.span, pair);
    const [one, other] = [ideal[index]?.standardError ?? null, current[index]?.standardError ?? null];
    return one === null || other === null ? null : Math.hypot(one, other);
  });
  const gap = toGapErrors(gaps, gapErrors, isShort ? variance.gap.df : null);
  return {
    basis: "statements",
    variance,
    values: scoring.valueIds.map((valueId, index) => ({
      valueId,
      ideal: at(ideal, index),
      current: at(current, index),
      gap: at(gap, index),
    })),
    totalGap: toTotalGapError(totalGap, gaps, gapErrors),
    stability: computeStability(compiled, answers, evaluation),
  };
}

/** The scores of one life with their errors, in ascending value id; null if a value is not scored. */
function estimateScores(
  { scoring: { valueIds }, scale: { span } }: CompiledQuality,
  session: EvaluatedAnswers,
  life: LifeContext,
  variance: number | null,
): (ScoreError | null)[] {
  const scores = session.scores[life];
  const centred = centreScores(scores);
  const scoresWithErrors = scores.map((exact, index) => {
    if (exact === null || variance === null) return null;
    return { score: 100 * exact, standardError: computeStandardError(variance, span, at(session.cells[life], index)) };
  });
  const ranges = computeRankRanges(scoresWithErrors, scores.filter((score) => score !== null).length);
  return scores.map((exact, index): ScoreError | null => {
    if (exact === null) return null;
    const score = 100 * exact;
    const { standardError = null } = at(scoresWithErrors, index) ?? {};
    const half = z95 * (standardError ?? 0);
    return {
      score,
      centred: centred?.[index] ?? null,
      standardError,
      interval: standardError === null ? null : [Math.max(0, score - half), Math.min(100, score + half)],
      rankRange: at(ranges, index),
      tiedWith: valueIds.filter((_, other) => other !== index && scores[other] === exact),
    };
  });
}

/** One-sided 5 %, in standard errors: from here on, scores are clearly different, and totals above noise. */
const clear = 1.645;

/**
 * The best and the worst rank of each score within its error, 1 the best: `1 + number of values clearly higher` to
 * `n - number clearly lower`. Each range holds for one value; all of them together do not.
 * @param scores in points of 0..100; null without a score or a standard error: then there is no range
 * @param scoredCount number of values with a score
 */
export function computeRankRanges(
  scores: readonly ({ readonly score: number; readonly standardError: number } | null)[],
  scoredCount: number,
): ([best: number, worst: number] | null)[] {
  return scores.map((one) => {
    if (one === null) return null;
    /** The number of scores that are clearly beyond this one. @param sign 1: higher; -1: lower */
    const countBeyond = (sign: 1 | -1) =>
      scores.filter((other) => {
        if (other === null) return false;
        const bound = clear * Math.sqrt(one.standardError ** 2 + other.standardError ** 2);
        return sign * (other.score - one.score) > bound;
      }).length;
    return [1 + countBeyond(1), scoredCount - countBeyond(-1)];
  });
}

/** The pairs of one value that are answered in both lives: a sample of ideal minus current keyed points. */
interface PairSums extends WeightedSample {
  /**
   * True if exactly the same statements are answered in both lives. Then how attractive they are cancels out, and the variance of
   * the differences counts; else the errors of both scores.
   */
  readonly isWhole: boolean;
}

function sumPairs(statements: readonly Statement[], answers: Answers): PairSums {
  const isAnswered = (item: Item) => readAnswer(item, answers) !== null;
  const pairs = statements.flatMap((statement) =>
    listWeightedPoints(measurePoints("gap", statement, answers), statement.ideal),
  );
  const isWhole = statements.every(({ ideal, current }) => isAnswered(ideal) === isAnswered(current));
  return { ...toWeightedSample(pairs), isWhole };
}

/**
 * The gaps with their errors; null if a value has none. Both lists are in the same order.
 * @param df few degrees of freedom, for Student's t; null: for the normal distribution
 */
export function toGapErrors(
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
  df: number | null,
): (GapError | null)[] {
  const count = gaps.filter((gap) => gap !== null).length;
  const critical = df === null || df < 1 ? findCriticalValue(count) : findCriticalT(df, count);
  return gaps.map((gap, index) => {
    if (gap === null) return null;
    const error = at(standardErrors, index);
    const certainty = error === null ? null : toCertainty(gap.gap / error, critical);
    return { reported: gap.reported, standardError: error, certainty };
  });
}

/**
 * The total of gaps that are only noise. A mean of absolute values is biased upwards: without a real difference, the size of a
 * gap is half-normal, with the mean `sqrt(2/pi) SE` and the variance `(1 - 2/pi) SE²`. Null without gaps, or if one of them has
 * no standard error.
 * @param gaps null if a value has none
 * @param standardErrors of the gaps, in the same order and in points
 */
export function toTotalGapError(
  total: TotalGap | null,
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
): TotalGapError | null {
  if (total === null) return null;
  let sum = 0;
  let squares = 0;
  for (const [index, gap] of gaps.entries()) {
    if (gap === null) continue;
    const error = at(standardErrors, index);
    if (error === null) return null;
    sum += gap.weight * error;
    squares += (gap.weight * error) ** 2;
  }
  const noise = (Math.sqrt(2 / Math.PI) * sum) / total.weightSum;
  const noiseSd = (Math.sqrt(1 - 2 / Math.PI) * Math.sqrt(squares)) / total.weightSum;
  return { total: total.reported, noise, noiseSd, aboveNoise: total.total > noise + clear * noiseSd };
}

const minReplicates = 3;

/**
 * Scores k times, each time without one statement of every value: without the first of each, then the second, in the order of
 * the definition. Standard errors are those of the grouped jackknife, `sqrt((k - 1) / k * sum (t - mean t)²)` of the unrounded
 * totals `t` (Efron and Tibshirani 1993); with k - 1 degrees of freedom they are too rough for an interval. Null unless all
 * values have the same number `k` of statements, 3 or more.
 */
function computeStability(
  { scoring, statements }: CompiledQuality,
  answers: Answers,
  { archetype: { archetypeId } }: Evaluation,
): Stability | null {
  const versions = at(statements, 0).length;
  if (versions < minReplicates || statements.some(({ length }) => length !== versions)) return null;
  const shorter = Array.from({ length: versions }, (_, place) => {
    const remaining = [...answers];
    for (const valueStatements of statements) {
      const { ideal, current } = at(valueStatements, place);
      remaining[ideal.position] = null;
      remaining[current.position] = null;
    }
    const cells = scoreCells(scoring, remaining);
    return evaluateScores(scoring, toScores(cells.ideal), toScores(cells.current));
  });
  const archetypes = shorter.map((version) => version.archetype.archetypeId);
  return {
    versions,
    archetypeId,
    sameArchetype: archetypes.filter((id) => id === archetypeId).length,
    archetypes,
    seTotalGap: computeJackknifeError(shorter.map(({ totalGap }) => totalGap?.total ?? null)),
    seHarmony: computeJackknifeError(shorter.map(({ harmony }) => harmony.total)),
    seConflict: computeJackknifeError(shorter.map(({ conflict }) => conflict.total)),
    seFocus: computeJackknifeError(shorter.map(computeFocus)),
  };
}

function computeFocus({ harmony, conflict }: ScoreEvaluation): number | null {
  return harmony.total === null || conflict.total === null ? null : harmony.total - conflict.total;
}

function computeJackknifeError(replicates: readonly (number | null)[]): number | null {
  const totals = replicates.filter((total) => total !== null);
  const versions = replicates.length;
  if (totals.length < versions) return null;
  return Math.sqrt(((versions - 1) / versions) * jstat.sumsqerr(totals));
}
