// Computes the numbers of a group from its members, without those that would reveal one of them.
import { roundingTo } from "../scoring/exact.ts";
import { criticalT, icc1, meanHalfWidth, momentsOf, rwg } from "./agreement.ts";
import type { ArchetypeCount, GroupMeasure, GroupNumbers, GroupValue, Summary } from "./group-numbers.ts";
import type { Member, MemberMeasure } from "./member.ts";

/** Fewer people than this have no numbers. */
export const leastMembers = 5;
/**
 * Fewer people than this get no spread: from mean and standard deviation of five people, one of them can often compute the
 * answers of the other four.
 */
export const leastForSpread = 10;

const round1 = roundingTo(1);
const round2 = roundingTo(2);
/** Widths of the ranges of scores and of gaps, in points. */
const ranges = { ideal: 100, current: 100, gap: 200 } as const;
const measures = ["ideal", "current", "gap"] as const;

/**
 * The numbers of a group, rounded; null if it has fewer than 5 members.
 * @param valueIds ascending
 * @param span of the answer scale, in steps
 * @param members in any order: the numbers are the same
 */
export function summariseGroup(
  valueIds: readonly number[],
  span: number,
  members: readonly Member[],
): GroupNumbers | null {
  if (members.length < leastMembers) return null;
  // The same for all numbers, since every member counts in every number.
  const t = criticalT(members.length);
  const open = valueIds.map((valueId, index): GroupValue => {
    const [ideal, current, gap] = measures.map((name) => measureOf(ofValue(members, name, index), ranges[name], t));
    return { valueId, ideal: ideal ?? null, current: current ?? null, gap: gap ?? null, withheld: null };
  });
  const uniform = uniformValues(open);
  const showsSpread = members.length >= leastForSpread;
  const withoutSpreads = ({ gap, ideal, current, ...value }: GroupValue): GroupValue => ({
    ...value,
    ideal: ideal && withoutSpread(ideal),
    current: current && withoutSpread(current),
    gap: gap && { ...withoutSpread(gap), mean: toHalfSteps(gap.mean, span) },
  });
  const totalOfAll = (name: "totalGap" | "harmony" | "conflict") => {
    const total = totalOf(
      members.map((member) => member[name]),
      t,
    );
    return showsSpread || total === null ? total : { ...total, ...noSpread };
  };
  const values = open.map((value, index) => (uniform.has(index) ? withhold(value) : value));
  return {
    members: members.length,
    values: showsSpread ? values : values.map(withoutSpreads),
    totals: {
      totalGap: totalOfAll("totalGap"),
      harmony: totalOfAll("harmony"),
      conflict: totalOfAll("conflict"),
    },
    archetypes: archetypesOf(members),
  };
}

/**
 * Mean, standard deviation and interval; null where all are equal, to one decimal.
 * @param t `criticalT` of the number of members
 */
export function summaryOf(members: readonly number[], t: number): Summary | null {
  const { mean, variance } = momentsOf(members);
  const sd = round1(Math.sqrt(variance));
  if (sd === 0) return null;
  const half = meanHalfWidth(variance, members.length, t);
  return { mean: round1(mean), sd, interval: [round1(mean - half), round1(mean + half)] };
}

const noSpread = { sd: null, interval: null };

function withoutSpread({ mean }: GroupMeasure): GroupMeasure {
  return { mean, ...noSpread, rwg: null, icc1: null };
}

/** @param points 100 for the whole scale */
function toHalfSteps(points: number, span: number): number {
  const halfStep = 50 / span;
  return round1(Math.round(points / halfStep) * halfStep);
}

function ofValue(members: readonly Member[], name: (typeof measures)[number], index: number): MemberMeasure[] {
  return members.flatMap((member) => member[name][index] ?? []);
}

function measureOf(members: readonly MemberMeasure[], range: number, t: number): GroupMeasure | null {
  const scores = members.map(({ score }) => score);
  const summary = summaryOf(scores, t);
  if (summary === null) return null;
  const rated = members.map(({ statements }) => statements).filter((statements) => statements.length > 0);
  const icc = rated.length < leastMembers ? null : icc1(rated);
  return { ...summary, rwg: round2(rwg(momentsOf(scores).variance, range)), icc1: icc === null ? null : round2(icc) };
}

/**
 * The indices of values that are withheld. Centred scores of a life add up to 0, so a single withheld mean could be computed
 * from the others: then the value in which members are most alike is withheld as well.
 */
function uniformValues(values: readonly GroupValue[]): Set<number> {
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

function withhold({ valueId }: GroupValue): GroupValue {
  return { valueId, ideal: null, current: null, gap: null, withheld: "uniform" };
}

function totalOf(totals: readonly (number | null)[], t: number): Summary | null {
  const known = totals.filter((total) => total !== null);
  return known.length === totals.length ? summaryOf(known, t) : null;
}

/** Counts of 5 or more, without those from which a smaller count could be computed. */
function archetypesOf(members: readonly Member[]): ArchetypeCount[] {
  const counts = new Map<number, number>();
  for (const { archetypeId } of members) counts.set(archetypeId, (counts.get(archetypeId) ?? 0) + 1);
  if (counts.size === 1) return [];
  const listed = [...counts]
    .map(([archetypeId, count]) => ({ archetypeId, members: count }))
    .filter((entry) => entry.members >= leastMembers)
    .sort((one, other) => other.members - one.members || one.archetypeId - other.archetypeId);
  const others = members.length - listed.reduce((sum, entry) => sum + entry.members, 0);
  // Without the smallest listed entry, the unlisted members are 5 or more.
  if (others > 0 && others < leastMembers) listed.pop();
  return listed.sort((one, other) => one.archetypeId - other.archetypeId);
}
