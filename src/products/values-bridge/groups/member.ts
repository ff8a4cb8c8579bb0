// The contribution of one member to the numbers of a group.
import type { CompiledQuality } from "../quality/compile.ts";
import type { ArrivalTimes } from "../quality/model.ts";
import { pointsOf, readAnswers } from "../quality/read-answers.ts";
import { isUsable, judgeResponse } from "../quality/response.ts";
import { meanOf } from "../quality/statistics.ts";
import { type Answers, type Item, keyedPoints } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";

/** One measure of one value of a member, in points. */
export interface MemberMeasure {
  readonly score: number;
  /** The same of each answered statement: their mean is the score where statements weigh the same. Not empty. */
  readonly statements: readonly number[];
}

/** A member, with lists of values in ascending value id. */
export interface Member {
  /** Scores as in results, 0..100. */
  readonly scores: Readonly<Record<LifeContext, readonly number[]>>;
  /** Centred scores: minus the mean of the member's scores of that life. */
  readonly ideal: readonly MemberMeasure[];
  readonly current: readonly MemberMeasure[];
  /** Ideal minus current, not centred. */
  readonly gap: readonly MemberMeasure[];
}

/**
 * Reads the contribution from a completed session. Null unless its grade is `good` or `caution` and every value has a score
 * in both lives, so that every number of a group is about the same people.
 * @param answers one entry for each question of the version; null if unanswered
 * @param times when the answers arrived; null if that is not known
 */
export function readMember(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): Member | null {
  const session = readAnswers(compiled, answers);
  if (!isUsable(judgeResponse(compiled, session, times).grade)) return null;
  const [ideal, current] = [session.scores.ideal, session.scores.current].map(completeScores);
  if (!ideal || !current) return null;
  const unit = 100 / compiled.scale.span;
  const centre = (scores: readonly number[], cells: readonly (readonly Item[])[]) => {
    const mean = meanOf(scores);
    return cells.map((items, index) => ({
      score: at(scores, index) - mean,
      statements: items.flatMap((item) => {
        const points = keyedPoints(item, answers);
        return points === null ? [] : [unit * points - mean];
      }),
    }));
  };
  return {
    scores: { ideal, current },
    ideal: centre(ideal, compiled.cells.ideal),
    current: centre(current, compiled.cells.current),
    gap: compiled.statements.map((ofValue, index) => ({
      score: at(ideal, index) - at(current, index),
      statements: ofValue.flatMap((statement) => {
        const difference = pointsOf("gap", statement, answers);
        return difference === null ? [] : [unit * difference];
      }),
    })),
  };
}

/** The scores in points; null if one of them is missing. */
function completeScores(scores: readonly (number | null)[]): number[] | null {
  const points = scores.flatMap((score) => (score === null ? [] : [100 * score]));
  return points.length === scores.length ? points : null;
}
