// The facts of a report, without texts: the numbers of each value, and whether they may be named.
import type { Scale } from "../../definition/definition.ts";
import { z95 } from "../../quality/statistics.ts";
import type { ContextExplanation, Explanation } from "../../scoring/shapes.ts";
import type { ReportInput, ReportQuality, ReportScoreError } from "../report-input.ts";
import type { ReportGap, ReportGroup, ReportLife } from "../report-model.ts";
import {
  maxLeadingValues,
  maxMostWantedShare,
  maxMostWantedValues,
  minMostWantedStandardErrors,
  minNamedSteps,
  minSummarySteps,
  worstLeadingRank,
} from "./rules.ts";

export interface ValueFacts {
  readonly valueId: number;
  readonly ideal: ReportLife;
  readonly current: ReportLife;
  readonly gap: ReportGap | null;
  readonly group: ReportGroup;
  readonly mostWanted: boolean;
  /** True if it is among the first within its error. */
  readonly leading: boolean;
  /** True if it could be among the most wanted too. */
  readonly closeBehind: boolean;
  /** True if it is wanted more than the person's own average, beyond its error. */
  readonly clearlyHigh: boolean;
}

/** The reason why values cannot be distinguished. */
export type NoDifferencesReason = "equal" | "few" | "grade";

/** The facts of a report. */
export type Facts = ReturnType<typeof collectFacts>;

export type FactsInput = Pick<ReportInput, "definition" | "explanation" | "quality">;

/** Reads the facts out of the input. @throws RangeError if answers and definition do not belong together */
export function collectFacts({ definition, explanation, quality = null }: FactsInput) {
  const { scale } = definition;
  const sortable = quality === null || quality.error !== null;
  const explanations = new Map(explanation.values.map((value) => [value.valueId, value]));
  const errors = new Map(quality?.error?.values.map((value) => [value.valueId, value]));
  const noDifferencesReason = findNoDifferencesReason(explanation, quality);
  // Without a known error, only the tier decides.
  const isAbove = (valueId: number) =>
    countErrorsAbove(errors.get(valueId)?.ideal, Infinity) > minMostWantedStandardErrors;
  const isFirst = (valueId: number) => (errors.get(valueId)?.ideal?.rankRange?.[1] ?? Infinity) <= worstLeadingRank;
  const first = definition.scoring.tiers[0]?.name;
  const inTier = explanation.values.filter(({ ideal }) => ideal.score !== null && ideal.tier === first);
  const tier = noDifferencesReason === null ? inTier : [];
  const candidates = takeWithTies(tier, tier, isAbove);
  const scoredCount = explanation.values.filter(({ ideal }) => ideal.score !== null).length;
  const maxChoices = Math.min(maxMostWantedValues, scoredCount * maxMostWantedShare);
  const choices = takeWithTies(candidates, candidates, isAbove, maxChoices);
  const leaders = takeWithTies(choices, tier, isFirst, maxLeadingValues).map(({ valueId }) => valueId);

  const values: readonly ValueFacts[] = definition.values.map(({ id: valueId }) => {
    const value = explanations.get(valueId);
    if (value === undefined || explanations.size !== definition.values.length) {
      throw new RangeError("the results have other values than the definition: they belong to another assessment");
    }
    const points = value.gap?.gap ?? null;
    const error = errors.get(valueId);
    const certainty = error && (error.gap?.certainty ?? "none");
    const gap = points === null ? null : toGap(points, scale.max - scale.min, sortable, certainty);
    const mostWanted = choices.some((choice) => choice.valueId === valueId);
    const [best = Number.NaN] = error?.ideal?.rankRange ?? [];
    return {
      valueId,
      ideal: toLife(value.ideal, error?.ideal, scale),
      current: toLife(value.current, error?.current, scale),
      gap,
      group: chooseGroup(gap, sortable),
      mostWanted,
      leading: leaders.includes(valueId),
      closeBehind: !mostWanted && best <= tier.length,
      clearlyHigh: noDifferencesReason === null && countErrorsAbove(error?.ideal, 0) > z95,
    };
  });
  return {
    /** In the order of the circle. */
    values,
    explanation,
    quality,
    noDifferencesReason,
    /** True if differences can be distinguished from chance. */
    sortable,
    /** Number of values that are scored in the life wanted. */
    scoredIdeal: scoredCount,
    /** Number of equal values that are not among the most wanted only because they are too many. */
    equallyHigh: candidates.length - choices.length,
  };
}

/** A gap in steps, at nine decimals, since scores are quotients of doubles. @param certainty undefined: only steps decide */
function toGap(
  points: number,
  span: number,
  sortable: boolean,
  certainty: "joint" | "single" | "none" | undefined,
): ReportGap {
  const steps = Math.round(((points * span) / 100) * 1e9) / 1e9 + 0;
  const size = sortable ? Math.abs(steps) : 0;
  const isCertain = certainty === undefined || certainty === "joint";
  return {
    points,
    steps,
    named: size >= minNamedSteps && isCertain,
    inSummary: size >= minSummarySteps && isCertain,
  };
}

function chooseGroup(gap: ReportGap | null, sortable: boolean): ReportGroup {
  if (gap === null) return "tooFewAnswers";
  if (!sortable) return "unsorted";
  if (!gap.named) return "asWanted";
  return gap.steps > 0 ? "wantMore" : "liveMore";
}

function toLife(
  { score, displayRank, tier }: ContextExplanation,
  error: ReportScoreError | null | undefined,
  { min, max }: Scale,
): ReportLife {
  const [low, high] = error?.interval ?? [];
  const [best, worst] = error?.rankRange ?? [];
  return {
    score,
    average: score === null ? null : min + score * (max - min),
    interval: low === undefined || high === undefined ? null : { low: low / 100, high: high / 100 },
    displayRank,
    rankRange: best === undefined || worst === undefined ? null : { best, worst },
    tier,
  };
}

/** The distance of a score above the person's average, in standard errors. @param unknown result without an error */
function countErrorsAbove(error: ReportScoreError | null | undefined, unknown: number): number {
  const { centred = null, standardError = null } = error ?? {};
  return centred === null || standardError === null ? unknown : centred / standardError;
}

/** The reason why the values cannot be distinguished; null if they can. */
function findNoDifferencesReason(
  { values, constants }: Explanation,
  quality: ReportQuality | null,
): NoDifferencesReason | null {
  const scores = values.flatMap(({ ideal: { score } }) => (score === null ? [] : score));
  if (scores.length < constants.minBaselineValues) return "few";
  if (new Set(scores).size === 1) return "equal";
  const grade = quality?.response.grade;
  return grade === "fail" || grade === "unknown" ? "grade" : null;
}

type RankedValue = Pick<Explanation["values"][number], "valueId" | "ideal">;

/**
 * Candidates that qualify and are among the first. Equal scores are taken together or not at all.
 * @param ranked among which places are counted
 */
function takeWithTies(
  candidates: readonly RankedValue[],
  ranked: readonly RankedValue[],
  qualifies: (valueId: number) => boolean,
  maxCount = Infinity,
): readonly RankedValue[] {
  const idealScore = ({ ideal }: RankedValue) => ideal.score ?? 0;
  return candidates.filter((value) => {
    const asHigh = ranked.filter((other) => idealScore(other) >= idealScore(value));
    const equals = asHigh.filter((other) => idealScore(other) === idealScore(value));
    return asHigh.length <= maxCount && equals.every(({ valueId }) => qualifies(valueId));
  });
}
