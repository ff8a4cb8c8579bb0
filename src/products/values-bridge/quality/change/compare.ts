// Entry point of change: compares two sessions of one person.

import { at } from "../../scoring/exact.ts";
import type { Answers } from "../../scoring/formulas/cells.ts";
import type { QualityAssessor } from "../assess.ts";
import type { ArrivalTimes } from "../model.ts";
import { reportVariances, toFour, toTwo } from "../report.ts";
import { isUsable, judgeResponse } from "../response.ts";
import { type ReadSession, readSession } from "../sheet.ts";
import { type Measure, measureChanges } from "./changes.ts";
import type { Change, SessionComparison, StatementChanges } from "./comparison.ts";
import { type MatchedStatement, matchStatements } from "./versions.ts";

/** A session to compare: its answers, and the assessor of the version that it was answered in. */
export interface ComparedSession {
  readonly assessor: QualityAssessor;
  /** One entry for each question of that version, in its order; null if unanswered. */
  readonly answers: Answers;
  /** When the answers arrived; null if that is not known. */
  readonly times: ArrivalTimes | null;
}

/** Share of tests that look significant although nothing changed. */
const chance = 0.05;

/**
 * Compares two sessions of one person, rounded. Pure: the same input gives the same comparison.
 * @param first the earlier session; changes are second minus first
 * @throws RangeError for answers that do not fit their version
 */
export function compareSessions(first: ComparedSession, second: ComparedSession): SessionComparison {
  const comparison = compareUnrounded(first, second);
  return { ...comparison, statements: comparison.statements && toReportedChanges(comparison.statements) };
}

/** The comparison with unrounded numbers. */
export function compareUnrounded(first: ComparedSession, second: ComparedSession): SessionComparison {
  const [before, after] = [read(first), read(second)];
  const matched = matchStatements(first.assessor.compiled, second.assessor.compiled);
  const isJudged = isUsable(before.grade) && isUsable(after.grade);
  const reason = typeof matched === "string" ? matched : isJudged ? null : "grade";
  return {
    model: "quality-and-error",
    version: 2,
    comparable: typeof matched !== "string",
    reason,
    grades: [before.grade, after.grade],
    statements:
      typeof matched !== "string" && isJudged
        ? changesOf(first.assessor, matched, [before.session, after.session])
        : null,
  };
}

function read({ assessor: { compiled }, answers, times }: ComparedSession) {
  const session = readSession(compiled, answers);
  return { session, grade: judgeResponse(compiled, session, times).grade };
}

function changesOf(
  { compiled: { scoring, scale } }: QualityAssessor,
  matched: readonly (readonly MatchedStatement[])[],
  sessions: readonly [ReadSession, ReadSession],
): StatementChanges {
  const answers = [sessions[0].answers, sessions[1].answers] as const;
  const measured = (measure: Measure) => {
    const lives = measure === "gap" ? (["ideal", "current"] as const) : [measure];
    const isScored = (index: number) =>
      lives.every((life) => sessions.every(({ scores }) => at(scores[life], index) !== null));
    return measureChanges(measure, matched, answers, isScored, scale.span);
  };
  const [ideal, current, gap] = [measured("ideal"), measured("current"), measured("gap")];
  const tests = [ideal, current, gap].reduce((sum, { tested }) => sum + tested, 0);
  return {
    tests,
    expectedByChance: chance * tests,
    variance: { ideal: ideal.variance, current: current.variance, gap: gap.variance },
    values: scoring.valueIds.map((valueId, index) => ({
      valueId,
      ideal: at(ideal.changes, index),
      current: at(current.changes, index),
      gap: at(gap.changes, index),
    })),
  };
}

/** The changes with every number rounded. */
function toReportedChanges({ tests, expectedByChance, variance, values }: StatementChanges): StatementChanges {
  return {
    tests,
    expectedByChance: toTwo(expectedByChance),
    variance: reportVariances(variance),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: ideal && reportChange(ideal),
      current: current && reportChange(current),
      gap: gap && reportChange(gap),
    })),
  };
}

function reportChange({ change, standardError, index, consistent }: Change): Change {
  return { change: toTwo(change), standardError: toTwo(standardError), index: toFour(index), consistent };
}
