// Computes the numbers of a group from its members. All means in them come from two for each value, which are rounded, so that
// none makes another one more precise.
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
 * To what means of scores are rounded, in points: half a step of the answer scale, or a quarter where at least ten people are
 * told of together. Of five people who pool what they know of four, or ten of nine, the last one's score follows to within
 * 1.25 steps either way.
 * @param span of the scale, in steps
 */
export function computeRoundingWidth(span: number, hasSpread: boolean): number {
  return 100 / span / (hasSpread ? 4 : 2);
}

/** How many rounded means a measure is computed from. */
export const roundedMeans: Readonly<Record<Measure, 1 | 2>> = { ideal: 1, current: 1, gap: 2 };

/**
 * The numbers of a group, rounded.
 * @param members 5 or more, in any order: the numbers are the same
 * @param hasSpread whether standard deviations may be published, and what follows from them
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

/** The totals that results would have for the group's means. */
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
 * Null where all are equal, or nearly where spread is shown. From an exact standard deviation nine of ten who pool what they know would
 * find the tenth's score, so what depends on it comes from the rounded one.
 * @param width of the rounding of means, and of standard deviations where they are shown, in points
 */
function toMeasure(
  measure: Measure,
  members: readonly number[],
  mean: number,
  width: number,
  hasSpread: boolean,
): GroupMeasure | null {
  const exact = computeMoments(members);
  const roundedDeviation = hasSpread
    ? Math.round(Math.sqrt(exact.variance) / width) * width
    : Math.sqrt(exact.variance);
  const sd = round1(roundedDeviation);
  if (sd === 0) return null;
  const variance = roundedDeviation ** 2;
  const t = findCriticalT(members.length - 1);
  const half = computeMeanHalfWidth(variance, members.length, t, new Array(roundedMeans[measure]).fill(width));
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
 * The indices of values that are withheld. Centred scores of a life add up to 0, so a single withheld mean could be computed
 * from the others: then the value in which members are most alike is withheld as well.
 */
function findWithheldValues(values: readonly GroupValue[]): Set<number> {
  const spreads = values.map(({ ideal, current, gap }) =>
    Math.min(...[ideal, current, gap].map((each) => each?.sd ?? 0)),
  );
  const uniform = new Set(spreads.flatMap((spread, index) => (spread === 0 ? [index] : [])));
  if (uniform.size === 1) {
    const others = spreads.map((spread, index) => ({ spread, index })).filter(({ index }) => !uniform.has(index));
    const next = others.toSorted((one, other) => one.spread - other.spread)[0];
    if (next !== undefined) uniform.add(next.index);
  }
  return uniform;
}
