// The values of results in few bits: they come in the order of the ranks in the life wanted, tiers follow the ranks,
// and gaps are multiples of one fraction, since scores are made of few points.
import type { ValueResult } from "../scoring/results.ts";
import { type BitReader, type BitWriter, bitsOf } from "./bits.ts";
import { hundredths, maxScore, score } from "./hundredths.ts";
import type { IndexTable } from "./index-table.ts";

/** Scores of more points than this make gaps that are written as hundredths. */
const maxPoints = 127;
const pointsBits = bitsOf(maxPoints + 1);

export interface DenseValues {
  /** May lose what the scoring of this release would never give: the caller compares. */
  write(writer: BitWriter, results: readonly ValueResult[]): void;
  read(reader: BitReader): ValueResult[];
}

/** Writes and reads the values of one assessment version. */
export function denseValues(values: IndexTable<number>, tiers: IndexTable<string>): DenseValues {
  const placeBits = bitsOf(values.count);
  const rankBits = bitsOf(values.count + 1);
  const tierBits = bitsOf(tiers.count);

  function writeTiers(writer: BitWriter, names: readonly string[]): void {
    let before = 0;
    for (const name of names) {
      const tier = tiers.indexOf(name);
      writer.write(tier === before ? 0 : 1, 1);
      if (tier !== before) writer.write(tier, tierBits);
      before = tier;
    }
  }

  function readTiers(reader: BitReader): string[] {
    const names: string[] = [];
    for (let before = 0; names.length < values.count; ) {
      if (reader.read(1) === 1) before = reader.read(tierBits);
      names.push(tiers.at(before));
    }
    return names;
  }

  return {
    write(writer, results) {
      if (results.length !== values.count) throw new RangeError("results without some of the values");
      const ranked = results.filter(({ idealDisplayRank }) => idealDisplayRank !== null).length;
      writer.write(ranked, rankBits);
      for (const { valueId } of results) writer.write(values.indexOf(valueId), placeBits);
      const ranks = results.map(({ currentDisplayRank }) => currentDisplayRank ?? 0);
      for (const rank of ranks) writer.write(rank, rankBits);
      writeTiers(
        writer,
        results.map(({ idealRankTier }) => idealRankTier),
      );
      writeTiers(
        writer,
        byRank(ranks).map((index) => results[index]?.currentRankTier ?? ""),
      );
      writeGaps(
        writer,
        results.map(({ authenticityGapScaled }) => hundredths(authenticityGapScaled)),
      );
    },

    read(reader) {
      const ranked = reader.read(rankBits);
      const ids: number[] = [];
      while (ids.length < values.count) ids.push(values.at(reader.read(placeBits)));
      const ranks = ids.map(() => reader.read(rankBits));
      const idealTiers = readTiers(reader);
      const currentTiers = new Array<string>(values.count);
      const tiersByRank = readTiers(reader);
      const ordered = byRank(ranks);
      for (let index = 0; index < ordered.length; index += 1)
        currentTiers[ordered[index] ?? 0] = tiersByRank[index] ?? "";
      const gaps = readGaps(reader, values.count);
      return ids.map((valueId, index) => ({
        valueId,
        idealDisplayRank: index < ranked ? index + 1 : null,
        idealRankTier: idealTiers[index] ?? "",
        currentDisplayRank: ranks[index] || null,
        currentRankTier: currentTiers[index] ?? "",
        authenticityGapScaled: score(gaps[index] ?? null),
      }));
    },
  };
}

/** Places in the order of their ranks; those without one, rank 0, are the first. */
function byRank(ranks: readonly number[]): number[] {
  return ranks.map((_, index) => index).sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0) || one - other);
}

function writeGaps(writer: BitWriter, gaps: readonly (number | null)[]): void {
  const points = pointsOf(gaps);
  writer.write(points, pointsBits);
  const most = points === 0 ? maxScore : points;
  for (const gap of gaps) {
    const step = gap === null ? null : points === 0 ? gap : Math.round((gap * points) / maxScore);
    writer.write(step === null ? 0 : step + most + 1, bitsOf(2 * most + 2));
  }
}

function readGaps(reader: BitReader, count: number): (number | null)[] {
  const points = reader.read(pointsBits);
  const most = points === 0 ? maxScore : points;
  const gaps: (number | null)[] = [];
  while (gaps.length < count) {
    const written = reader.read(bitsOf(2 * most + 2));
    const step = written - most - 1;
    gaps.push(written === 0 ? null : points === 0 ? step : gapOf(step, points));
  }
  return gaps;
}

/** The least number of points of which all gaps are multiples; 0: there is none. */
function pointsOf(gaps: readonly (number | null)[]): number {
  for (let points = 1; points <= maxPoints; points += 1) {
    if (areMultiples(gaps, points)) return points;
  }
  return 0;
}

function areMultiples(gaps: readonly (number | null)[], points: number): boolean {
  for (const gap of gaps) {
    if (gap !== null && gapOf(Math.round((gap * points) / maxScore), points) !== gap) return false;
  }
  return true;
}

/** So many of all points, in hundredths, halves away from zero. */
function gapOf(step: number, points: number): number {
  return Math.sign(step) * Math.round((Math.abs(step) * maxScore) / points);
}
