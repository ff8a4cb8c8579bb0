// Computes the numbers of a group from its members. All means come from two rounded ones for each value, so that none makes
// another one more precise.
import type { CompiledQuality } from "../quality/compile.ts";
import { average, findCriticalT } from "../quality/statistics.ts";
import { evaluateScores } from "../scoring/evaluate.ts";
import { at, createRounder } from "../scoring/exact.ts";
import { type Measure, mapMeasures } from "../scoring/model.ts";
import { computeMeanHalfWidth, computeMoments, computeRwg } from "./agreement.ts";
import type { GroupMeasure, GroupNumbers, GroupValue } from "./group-numbers.ts";
import type { Member } from "./member.ts";

const round1 = createRounder(1);
const round2 = createRounder(2);
/** Widths of the ranges of scores and of gaps, in points. */
const ranges = { ideal: 100, current: 100, gap: 200 } as const;

/**
 * Means of scores are rounded to this, in points: half a step of the answer scale, or a quarter for at least ten people. If all
 * members but one (four of five, or nine of ten) pool their scores, they learn the last one's within 1.25 steps either way.
 * @param span of the scale, in steps
 */
export function computeRoundingWidth(span: number, hasSpread: boolean): number {
  return 100 / span / (hasSpread ? 4 : 2);
}

/** The widths of the roundings in the mean of a measure: a gap is the difference of two means rounded to a width. */
export function listRoundings(measure: Measure, width: number): number[] {
  return measure === "gap" ? [width, width] : [width];
}

/**
 * The numbers of a group, rounded.
 * @param members 5 or more, in any order
 * @param hasSpread whether standard deviations, and numbers computed from them, may be published
 */
export function summarizeGroup(
  { scoring, scale: { span } }: Pick<CompiledQuality, "scoring" | "scale">,
  members: readonly Member[],
  hasSpread: boolean,
): GroupNumbers {
  const { valueIds } = scoring;
  const width = computeRoundingWidth(span, hasSpread);
  const listMeans = (life: "ideal" | "current") =>
    valueIds.map((_, index) => {
      const mean = average(members.map(({ scores }) => at(scores[life], index)));
      return Math.round(mean / width) * width;
    });
  const [wantedMeans, livedMeans] = [listMeans("ideal"), listMeans("current")];
  const [meanWanted, meanLived] = [average(wantedMeans), average(livedMeans)];
  const values = valueIds.map((valueId, index): GroupValue => {
    const [want, life] = [at(wantedMeans, index), at(livedMeans, index)];
    const means = { ideal: want - meanWanted, current: life - meanLived, gap: want - life };
    const summarizeMeasure = (measure: Measure) => {
      const scores = members.map((member) => at(member.measures[measure], index));
      return toMeasure(measure, scores, means[measure], width, hasSpread);
    };
    return { ...mapMeasures(valueId, summarizeMeasure), uniform: false };
  });
  const uniform = findWithheldValues(values);
  return {
    members: members.length,
    values: values.map((value, index) => {
      if (uniform.has(index)) return { ...mapMeasures(value.valueId, () => null), uniform: true };
      return hasSpread ? value : removeSpread(value);
    }),
    ...(uniform.size > 0
      ? { totalGap: null, harmony: null, conflict: null }
      : computeTotals(scoring, wantedMeans, livedMeans)),
  };
}

/** The totals of results with the group's means as scores. */
function computeTotals(
  scoring: CompiledQuality["scoring"],
  wantedMeans: readonly number[],
  livedMeans: readonly number[],
): Pick<GroupNumbers, "totalGap" | "harmony" | "conflict"> {
  const shares = (means: readonly number[]) => means.map((mean) => mean / 100);
  const { totalGap, harmony, conflict } = evaluateScores(scoring, shares(wantedMeans), shares(livedMeans));
  const roundOrNull = (total: number | null) => (total === null ? null : round1(total));
  return {
    totalGap: roundOrNull(totalGap?.total ?? null),
    harmony: roundOrNull(harmony.total),
    conflict: roundOrNull(conflict.total),
  };
}

/**
 * Null if all are equal, or nearly equal where spread is shown. With an exact standard deviation, nine members of ten who pool
 * their scores could compute the tenth's, so everything comes from the rounded one.
 * @param width to which means are rounded, and deviations where spread is shown
 */
function toMeasure(
  measure: Measure,
  members: readonly number[],
  mean: number,
  width: number,
  hasSpread: boolean,
): GroupMeasure | null {
  const exactDeviation = Math.sqrt(computeMoments(members).variance);
  const roundedDeviation = hasSpread ? Math.round(exactDeviation / width) * width : exactDeviation;
  const sd = round1(roundedDeviation);
  if (sd === 0) return null;
  const variance = roundedDeviation ** 2;
  const t = findCriticalT(members.length - 1);
  const half = computeMeanHalfWidth(variance, members.length, t, listRoundings(measure, width));
  return {
    mean: round1(mean),
    sd,
    interval: [round1(mean - half), round1(mean + half)],
    rwg: round2(computeRwg(variance, ranges[measure])),
  };
}

function removeSpread(value: GroupValue): GroupValue {
  const spread = { sd: null, interval: null, rwg: null };
  return { ...value, ...mapMeasures(value.valueId, (measure) => value[measure] && { ...value[measure], ...spread }) };
}

/**
 * The indices of withheld values. Centred scores of a life add up to 0, so a single withheld mean could be computed from the
 * others: then the value in which members are most alike is withheld too.
 */
function findWithheldValues(values: readonly GroupValue[]): Set<number> {
  const spreads = values.map(({ ideal, current, gap }) =>
    Math.min(...[ideal, current, gap].map((each) => each?.sd ?? 0)),
  );
  const uniform = new Set(spreads.flatMap((spread, index) => (spread === 0 ? [index] : [])));
  if (uniform.size === 1) {
    const next = Math.min(...spreads.filter((spread) => spread > 0));
    uniform.add(spreads.indexOf(next));
  }
  return uniform;
}
