// Change: two sessions of one person, compared statement by statement if both versions ask the same.
import { isDeepStrictEqual } from "node:util";
import type { Answers, Item } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, mapMeasures } from "../scoring/model.ts";
import type { QualityAssessor } from "./assess.ts";
import type { CompiledQuality, Statement } from "./compile.ts";
import type { ArrivalTimes } from "./model.ts";
import type { Change, Difference, PooledVariance, SessionComparison, StatementChanges } from "./quality.ts";
import { type AnswerSums, listWeightedPoints, measurePoints, readAnswers } from "./read-answers.ts";
import { assessResponse, isUsable } from "./response.ts";
import { roundNumbers } from "./rounding.ts";
import {
  computePooledVariance,
  computeStandardError,
  findCriticalValue,
  minDf,
  poolDeviations,
  toCertainty,
  toWeightedSample,
} from "./statistics.ts";

/** A session to compare: its answers, and the assessor of their version. */
export interface ComparedSession {
  readonly assessor: QualityAssessor;
  /** One entry for each question of that version, in its order; null if unanswered. */
  readonly answers: Answers;
  /** When the answers arrived; null if not known. */
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
  return roundNumbers(compareUnrounded(first, second));
}

/** The comparison with unrounded numbers. */
export function compareUnrounded(first: ComparedSession, second: ComparedSession): SessionComparison {
  const [before, after] = [readCompared(first), readCompared(second)];
  const matches = matchStatements(first.assessor.compiled, second.assessor.compiled);
  const grades = [before.grade, after.grade] as const;
  const reason = typeof matches === "string" ? matches : grades.every(isUsable) ? null : "grade";
  return {
    model: "quality-and-error",
    version: 2,
    comparable: typeof matches !== "string",
    reason,
    grades,
    statements:
      typeof matches === "string" || reason !== null
        ? null
        : findChanges(first.assessor, matches, [before.session, after.session]),
  };
}

function readCompared({ assessor: { compiled }, answers, times }: ComparedSession) {
  const session = readAnswers(compiled, answers);
  return { session, grade: assessResponse(compiled, session, times).grade };
}

function findChanges(
  { compiled: { scoring, scale } }: QualityAssessor,
  matchedStatements: readonly (readonly MatchedStatement[])[],
  sessions: readonly [AnswerSums, AnswerSums],
): StatementChanges {
  const computeChanges = (measure: Measure) => measureChanges(measure, matchedStatements, sessions, scale.span);
  const measures = { ideal: computeChanges("ideal"), current: computeChanges("current"), gap: computeChanges("gap") };
  const { ideal, current, gap } = measures;
  const tests = ideal.tested + current.tested + gap.tested;
  return {
    tests,
    expectedByChance: chance * tests,
    variance: { ideal: ideal.variance, current: current.variance, gap: gap.variance },
    values: scoring.valueIds.map((valueId, index) =>
      mapMeasures(valueId, (measure) => at(measures[measure].changes, index)),
    ),
  };
}

/** One statement in each of two versions. */
export interface MatchedStatement {
  readonly first: Statement;
  readonly second: Statement;
}

/**
 * The statements of each value in both versions, in ascending value id; or the first difference in scale, values, predicates,
 * keys or weights. Statements of weight 0 and the order of asking are ignored.
 */
export function matchStatements(first: CompiledQuality, second: CompiledQuality): MatchedStatement[][] | Difference {
  const [one, other] = [toComparableParts(first), toComparableParts(second)];
  for (const part of ["scale", "values", "wording", "keys"] as const) {
    if (!isDeepStrictEqual(one[part], other[part])) return part;
  }
  return one.statements.map((valueStatements, index) =>
    valueStatements.map((statement, place) => ({ first: statement, second: at(at(other.statements, index), place) })),
  );
}

/** The statements of each value by predicate, and everything that must be equal in two versions. */
function toComparableParts({ scale, scoring, statements }: CompiledQuality) {
  const sorted = statements.map((valueStatements) =>
    valueStatements.toSorted((a, b) => (a.predicate < b.predicate ? -1 : 1)),
  );
  const toKey = ({ inverse, weight }: Item) => [inverse, weight];
  return {
    scale,
    values: scoring.valueIds,
    wording: sorted.map((valueStatements) => valueStatements.map(({ predicate }) => predicate)),
    keys: sorted.map((valueStatements) => valueStatements.map(({ ideal, current }) => [toKey(ideal), toKey(current)])),
    statements: sorted,
  };
}

/** Least number of statements of a value for a change. */
const minStatements = 2;

/**
 * Changes of values that are scored in both sessions: `(100 / span) sum W e / sum W`, where `e` is the change of a statement's
 * keyed points, or of their difference between the lives. The standard error is that of a weighted mean, from the variance of
 * `e` within values.
 * @param statements of each value, in ascending value id
 * @returns changes in ascending value id, null if there is none, and the number of those with an index; unrounded
 */
function measureChanges(
  measure: Measure,
  statements: readonly (readonly MatchedStatement[])[],
  sessions: readonly [AnswerSums, AnswerSums],
  span: number,
): { readonly variance: PooledVariance; readonly changes: readonly (Change | null)[]; readonly tested: number } {
  const [before, after] = [sessions[0].answers, sessions[1].answers];
  const lives = measure === "gap" ? (["ideal", "current"] as const) : [measure];
  const isScored = (index: number) =>
    lives.every((life) => sessions.every(({ scores }) => at(scores[life], index) !== null));
  const sums = statements.map((valueStatements, index) => {
    if (!isScored(index)) return null;
    const samples = valueStatements.flatMap(({ first, second }) => {
      const [earlier, later] = [measurePoints(measure, first, before), measurePoints(measure, second, after)];
      // A statement has one weight in both lives.
      return listWeightedPoints(earlier === null || later === null ? null : later - earlier, first.ideal);
    });
    return samples.length < minStatements ? null : toWeightedSample(samples);
  });
  const presentSums = sums.filter((each) => each !== null);
  const sharedVariance = computePooledVariance(poolDeviations(presentSums), measure === "gap" ? 4 : 2, minDf);
  const critical = findCriticalValue(presentSums.length);
  const changes = sums.map((each): Change | null => {
    if (each === null) return null;
    const change = ((100 / span) * each.weighted) / each.weight;
    if (sharedVariance.variance === null) return { change, standardError: null, index: null, consistent: null };
    const error = computeStandardError(sharedVariance.variance, span, each);
    const index = change / error;
    return { change, standardError: error, index, consistent: toCertainty(index, critical) };
  });
  return { variance: sharedVariance, changes, tested: sharedVariance.variance === null ? 0 : presentSums.length };
}
