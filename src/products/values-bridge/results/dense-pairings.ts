// The pairings of results in few bits. The score of a pairing is the weaker of two priorities, so one number for each
// value gives all of them: the highest score that the value has in any pairing. Equal scores are in the order of the
// stronger value, which its rank tells, and of the id where those are equal, which one bit for each rank tells.
import type { Pairing } from "../scoring/model.ts";
import type { PairingResult } from "../scoring/results.ts";
import { type BitReader, type BitWriter, bitsOf } from "./bits.ts";
import { hundredths, maxScore, score } from "./hundredths.ts";
import type { IndexTable } from "./index-table.ts";

const levelBits = bitsOf(maxScore + 1);
const noSides = { id: 0, one: 0, other: 0 };

/** Values by their index in the assessment's list, in the order of the results: the most wanted one first. */
type Order = readonly number[];

export interface DensePairings {
  /** May lose what the scoring of this release would never give: the caller compares. */
  write(writer: BitWriter, pairings: readonly PairingResult[], order: Order): void;
  read(reader: BitReader, order: Order): PairingResult[];
}

/** Writes and reads the pairings of one assessment version. */
export function densePairings(all: readonly Pairing[], values: IndexTable<number>): DensePairings {
  const byId = all
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, values: [one, other] }) => ({ id, one: values.indexOf(one), other: values.indexOf(other) }));
  const sidesById = new Map(byId.map((sides) => [sides.id, sides]));
  const sidesOf = (id: number) => sidesById.get(id) ?? noSides;
  const countBits = bitsOf(values.count + 1);

  // Made once: a typed array of more than 64 bytes takes memory outside the heap, which costs more than what is done with it.
  const keys = new Float64Array(byId.length);

  function levelsOf(pairings: readonly PairingResult[]): number[] {
    const levels = new Array<number>(values.count).fill(-1);
    for (const { valuePairingId, scaledScore } of pairings) {
      const level = hundredths(scaledScore) ?? -1;
      const { one, other } = sidesOf(valuePairingId);
      levels[one] = Math.max(levels[one] ?? -1, level);
      levels[other] = Math.max(levels[other] ?? -1, level);
    }
    return levels;
  }

  function strongerRank(id: number, rankOf: readonly number[]): number {
    const { one, other } = sidesOf(id);
    return Math.min(rankOf[one] ?? 0, rankOf[other] ?? 0);
  }

  /**
   * Whether the value of each rank is wanted as much as the one before: else a pairing would not come where it does.
   */
  function equalsOf(pairings: readonly PairingResult[], rankOf: readonly number[]): number[] {
    const equals = new Array<number>(values.count).fill(0);
    let before: PairingResult | undefined;
    for (const here of pairings) {
      if (here.scaledScore !== null && here.scaledScore === before?.scaledScore) {
        const last = strongerRank(before.valuePairingId, rankOf);
        for (let rank = strongerRank(here.valuePairingId, rankOf) + 1; rank <= last; rank += 1) equals[rank] = 1;
      }
      before = here;
    }
    return equals;
  }

  return {
    write(writer, pairings, order) {
      const levels = levelsOf(pairings);
      const known = distinct(levels);
      writer.write(known.length, countBits);
      for (const level of known) writer.write(level, levelBits);
      const width = bitsOf(known.length + 1);
      for (const level of levels) writer.write(known.indexOf(level) + 1, width);
      const equals = equalsOf(pairings, ranksOf(order));
      for (let rank = 1; rank < order.length; rank += 1) writer.write(equals[rank] ?? 0, 1);
    },

    read(reader, order) {
      const known = [-1];
      for (let missing = reader.read(countBits); missing > 0; missing -= 1) known.push(reader.read(levelBits));
      const width = bitsOf(known.length);
      const levels = new Array<number>(values.count).fill(0);
      for (let value = 0; value < values.count; value += 1) {
        const level = known[reader.read(width)];
        if (level === undefined) throw new RangeError("results name a level that they do not have");
        levels[value] = level;
      }
      let strength = 0;
      const strengths = new Array<number>(values.count).fill(0);
      for (let rank = 0; rank < order.length; rank += 1) {
        if (rank > 0 && reader.read(1) === 0) strength += 1;
        strengths[order[rank] ?? 0] = strength;
      }
      return inOrder(levels, strengths);
    },
  };

  /**
   * Strongest first, then by the stronger value, then by id; what has no score last, by id. One number says all three.
   */
  function inOrder(levels: readonly number[], strengths: readonly number[]): PairingResult[] {
    for (let index = 0; index < byId.length; index += 1) {
      const { one, other } = byId[index] ?? noSides;
      const least = Math.min(levels[one] ?? -1, levels[other] ?? -1);
      const strength = least < 0 ? 0 : Math.min(strengths[one] ?? 0, strengths[other] ?? 0);
      keys[index] = ((maxScore - least) * values.count + strength) * byId.length + index;
    }
    keys.sort();
    const ordered: PairingResult[] = [];
    for (let place = 0; place < keys.length; place += 1) {
      const key = keys[place] ?? 0;
      const least = maxScore - Math.floor(key / (byId.length * values.count));
      const valuePairingId = byId[key % byId.length]?.id ?? 0;
      ordered.push({ valuePairingId, scaledScore: least < 0 ? null : score(least) });
    }
    return ordered;
  }
}

function ranksOf(order: Order): number[] {
  const ranks = new Array<number>(order.length).fill(0);
  for (let rank = 0; rank < order.length; rank += 1) ranks[order[rank] ?? 0] = rank;
  return ranks;
}

/** The levels that there are, ascending. */
function distinct(levels: readonly number[]): number[] {
  const known: number[] = [];
  for (const level of levels.toSorted((one, other) => one - other))
    if (level >= 0 && level !== known.at(-1)) known.push(level);
  return known;
}
