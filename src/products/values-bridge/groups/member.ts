// The contribution of one member to the numbers of a group.
import type { CompiledQuality } from "../quality/compile.ts";
import type { ArrivalTimes } from "../quality/model.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { assessResponse, isUsable } from "../quality/response.ts";
import { average } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext, Measure } from "../scoring/model.ts";

/** A member, with lists in points and in ascending value id. */
export interface Member {
  /** Scores as in results, 0..100. */
  readonly scores: Readonly<Record<LifeContext, readonly number[]>>;
  /** Scores minus the mean of the member's scores of that life; ideal minus current, not centred. */
  readonly measures: Readonly<Record<Measure, readonly number[]>>;
}

/**
 * Reads the contribution of a completed session. Null unless its grade is `good` or `caution` and every value has a score in
 * both lives: every number of a group is about the same people.
 * @param answers one entry for each question of the version; null if unanswered
 * @param times when the answers arrived; null if not known
 */
export function readMember(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): Member | null {
  const session = readAnswers(compiled, answers);
  if (!isUsable(assessResponse(compiled, session, times).grade)) return null;
  const [ideal, current] = [session.scores.ideal, session.scores.current].map(requireAllScores);
  if (!ideal || !current) return null;
  const centre = (scores: readonly number[]) => scores.map((score) => score - average(scores));
  const gap = ideal.map((score, index) => score - at(current, index));
  return { scores: { ideal, current }, measures: { ideal: centre(ideal), current: centre(current), gap } };
}

/** The scores in points; null if one of them is missing. */
function requireAllScores(scores: readonly (number | null)[]): number[] | null {
  const points = scores.flatMap((score) => (score === null ? [] : [100 * score]));
  return points.length === scores.length ? points : null;
}
