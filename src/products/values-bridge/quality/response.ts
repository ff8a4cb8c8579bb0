// Response quality: whether the answers of one session are reliable.
import jstat from "jstat";
import type { Answers } from "../scoring/cells.ts";
import { addUp, at } from "../scoring/exact.ts";
import type { CompiledQuality, RatingScale } from "./compile.ts";
import { findFlags, toGrade } from "./grade.ts";
import type { ArrivalTimes } from "./model.ts";
import type { Grade, ResponseIndices, ResponseQuality } from "./quality.ts";
import type { AnswerSums, CellSums } from "./read-answers.ts";
import {
  average,
  computeSquaredDeviations,
  isConstant,
  minCells,
  poolDeviations,
  type Sample,
  toSample,
} from "./statistics.ts";

/** Judges the answers of a session. Unrounded. */
export function assessResponse(
  compiled: CompiledQuality,
  session: AnswerSums,
  times: ArrivalTimes | null,
): ResponseQuality {
  const { scale, minDf } = compiled;
  const { answers, cells, ratings, scoredCells } = session;
  const indices: ResponseIndices = {
    longestRun: Math.max(...session.blocks.map(findLongestRun)),
    spread: computeSpread(ratings),
    opposites: computeOpposites([...cells.ideal, ...cells.current]),
    consistency: computeConsistency([...scoredCells.ideal, ...scoredCells.current], minDf),
    consistencyIdeal: computeConsistency(scoredCells.ideal, minDf),
    consistencyCurrent: computeConsistency(scoredCells.current, minDf),
    secondsPerAnswer: computeSecondsPerAnswer(times, answers.filter((answer) => answer !== null).length),
    ...computeAgreement(session, scale, compiled.keyBalance),
  };
  const flags = findFlags(indices, compiled);
  return { grade: toGrade(flags, indices, compiled, ratings.length), flags, ...indices };
}

/** True if answers of this grade have an error: constant answers would look perfectly precise. */
export function isUsable(grade: Grade): boolean {
  return grade === "good" || grade === "caution";
}

type Agreement = Pick<ResponseIndices, "agreementIdeal" | "agreementCurrent" | "agreementShift">;

/**
 * Mean over cells of `((forward + inverse) / 2 - (min + max) / 2) / span` in each life; null below 10 cells with both. The
 * shift is the most that the difference of the two lives can add to every gap, over values with both in each life:
 * `100 * keyBalance * (ideal - current)`; null without `keyBalance`, or below 10 such values.
 */
function computeAgreement(
  { cells }: Pick<AnswerSums, "cells">,
  scale: RatingScale,
  keyBalance: number | null,
): Agreement {
  const byValue = (life: "ideal" | "current") =>
    cells[life].map(({ bothKeys }) =>
      bothKeys === null ? null : (bothKeys.forward + bothKeys.inverse - scale.min - scale.max) / (2 * scale.span),
    );
  const [ideal, current] = [byValue("ideal"), byValue("current")];
  const shifts = ideal.map((idealScore, index) => {
    const currentScore = at(current, index);
    return idealScore === null || currentScore === null ? null : idealScore - currentScore;
  });
  const shift = computeMeanIfEnough(shifts);
  return {
    agreementIdeal: computeMeanIfEnough(ideal),
    agreementCurrent: computeMeanIfEnough(current),
    agreementShift: shift === null || keyBalance === null ? null : 100 * keyBalance * shift,
  };
}

function computeMeanIfEnough(members: readonly (number | null)[]): number | null {
  const presentMembers = members.filter((member) => member !== null);
  return presentMembers.length < minCells ? null : average(presentMembers);
}

/**
 * `1 - MSW / MSB` over cells, -1..1: the share of the differences between one person's cells that is not noise of single
 * statements, as the intraclass reliability of a cell mean in a one-way design within the person (Shrout and Fleiss 1979,
 * ICC(1,k), with the harmonic mean for unequal counts). MSW is the pooled variance of keyed points within cells; MSB is the
 * variance (n - 1) of the unweighted cell means times the harmonic mean of the counts. Null below 10 cells, below `least`
 * degrees of freedom within, or if all means are equal.
 * @param cells scored cells, each with one answer or more
 */
export function computeConsistency(cells: readonly Sample[], least: number): number | null {
  const within = poolDeviations(cells);
  const means = cells.map(({ sum, count }) => sum / count);
  if (cells.length < minCells || within.df < least || isConstant(means)) return null;
  const between = jstat.sumsqerr(means) / (means.length - 1);
  const harmonicCount = cells.length / addUp(cells.map(({ count }) => 1 / count));
  return Math.max(-1, 1 - within.squaredDeviations / within.df / (between * harmonicCount));
}

/**
 * Pearson's correlation over cells of mean forward with mean inverse rating, -1..1: near -1 for a person who distinguishes
 * opposites (a within-person form of the antonym index: Curran 2016). Null below 10 such cells, or if either does not vary.
 */
function computeOpposites(cells: readonly CellSums[]): number | null {
  const both = cells.map((cell) => cell.bothKeys).filter((means) => means !== null);
  const forward = both.map((means) => means.forward);
  const inverse = both.map((means) => means.inverse);
  if (both.length < minCells || isConstant(forward) || isConstant(inverse)) return null;
  return Math.min(1, Math.max(-1, jstat.corrcoeff(forward, inverse)));
}

/**
 * The longest run of equal ratings in one block (long string: Meade and Craig 2012, Curran 2016). An unanswered
 * statement ends a run; 0 without an answer.
 * @param block raw ratings in asking order
 */
export function findLongestRun(block: Answers): number {
  let longest = 0;
  let length = 0;
  let previous: number | null = null;
  for (const rating of block) {
    if (rating === null) length = 0;
    else length = rating === previous ? length + 1 : 1;
    previous = rating;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Standard deviation (n - 1) of raw ratings (intra-individual response variability: Dunn et al. 2018); null below 2. */
export function computeSpread(ratings: readonly number[]): number | null {
  if (ratings.length < 2) return null;
  return Math.sqrt(computeSquaredDeviations(toSample(ratings)) / (ratings.length - 1));
}

const minCalls = 3;
const minLaterAnswers = 20;

/**
 * Seconds from the first to the last arrival for each answer after the first call; the time of its own answers is unknown.
 * Null without times, below 3 calls, below 20 such answers, or if the clock was set back.
 * @param answers number of answers of the session, including those of weight 0
 */
export function computeSecondsPerAnswer(times: ArrivalTimes | null, answers: number): number | null {
  if (times === null) return null;
  const laterAnswers = answers - times.firstCallAnswers;
  const ms = times.lastAnswerAt.getTime() - times.firstAnswerAt.getTime();
  if (times.answerCalls < minCalls || laterAnswers < minLaterAnswers || ms < 0) return null;
  return ms / laterAnswers / 1000;
}
