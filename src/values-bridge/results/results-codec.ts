// Results as the store keeps them: some 280 bytes that nobody else reads. What the assessment version knows already, such
// as its ids and the names of its tiers, is written as a place in its own lists.
import type { ScoringModel } from "../scoring/model.ts";
import type { PairingResult, Results, ValueResult } from "../scoring/results.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { decodeJsonResults, encodeJsonResults } from "./json-results.ts";

/** The first byte of what this codec writes. JSON, which earlier releases stored, begins with `[`. */
const format = 1;
const jsonFormat = 0x5b;
/** Stored numbers are hundredths: every reported number has two decimals. */
const units = 100;
const maxScore = 100 * units;

export interface ResultsCodec {
  encode(results: Results): Buffer;
  /** The same as JSON, some 1,900 bytes, which releases before 0.2 read as well. */
  encodeForEarlierReleases(results: Results): Buffer;
  /** The results that were encoded; throws RangeError for bytes that no codec of this version has written. */
  decode(bytes: Uint8Array): Results;
}

/** The codec for results of one assessment version. It must stay the same for ever for the same version. */
export function compileResultsCodec(model: ScoringModel): ResultsCodec {
  const values = new Places(model.valueIds);
  const pairings = new Places(model.pairings.map(({ id }) => id));
  const tiers = new Places([...model.constants.tiers.map(({ name }) => name), model.constants.unranked]);
  const archetypes = new Places([...model.archetypes.map(({ id }) => id), model.unresolvedArchetypeId]);

  function writeValue(writer: ByteWriter, value: ValueResult): void {
    writer.uint(values.placeOf(value.valueId));
    writer.optional(value.idealDisplayRank);
    writer.uint(tiers.placeOf(value.idealRankTier));
    writer.optional(value.currentDisplayRank);
    writer.uint(tiers.placeOf(value.currentRankTier));
    const gap = hundredths(value.authenticityGapScaled);
    writer.optional(gap === null ? null : gap + maxScore);
  }

  function readValue(reader: ByteReader): ValueResult {
    const valueId = values.at(reader.uint());
    const idealDisplayRank = reader.optional();
    const idealRankTier = tiers.at(reader.uint());
    const currentDisplayRank = reader.optional();
    const currentRankTier = tiers.at(reader.uint());
    const gap = reader.optional();
    const authenticityGapScaled = gap === null ? null : (gap - maxScore) / units;
    return {
      valueId,
      idealDisplayRank,
      idealRankTier,
      currentDisplayRank,
      currentRankTier,
      authenticityGapScaled,
    };
  }

  function readPairings(reader: ByteReader): PairingResult[] {
    let below = maxScore;
    return Array.from({ length: reader.uint() }, () => {
      const valuePairingId = pairings.at(reader.uint());
      const difference = reader.optional();
      if (difference === null) return { valuePairingId, scaledScore: null };
      below -= difference;
      return { valuePairingId, scaledScore: below / units };
    });
  }

  return {
    encode({ overall, values: ofValues, pairings: ofPairings }) {
      const writer = new ByteWriter();
      writer.uint(format);
      writer.uint(archetypes.placeOf(overall.archetypeId));
      writer.optional(hundredths(overall.totalAuthenticityGapScaled));
      writer.optional(hundredths(overall.totalConflictScoreScaled));
      writer.optional(hundredths(overall.totalHarmonyScoreScaled));
      writer.uint(ofValues.length);
      for (const value of ofValues) writeValue(writer, value);
      writer.uint(ofPairings.length);
      // Strongest first, so each is a small step below the one before.
      let below = maxScore;
      for (const { valuePairingId, scaledScore } of ofPairings) {
        writer.uint(pairings.placeOf(valuePairingId));
        const score = hundredths(scaledScore);
        writer.optional(score === null ? null : below - score);
        below = score ?? below;
      }
      return writer.bytes();
    },

    encodeForEarlierReleases: encodeJsonResults,

    decode(bytes) {
      if (bytes[0] === jsonFormat) return decodeJsonResults(bytes);
      const reader = new ByteReader(bytes);
      if (reader.uint() !== format) throw new RangeError("these results are in a format that is not known");
      const overall = {
        archetypeId: archetypes.at(reader.uint()),
        totalAuthenticityGapScaled: score(reader.optional()),
        totalConflictScoreScaled: score(reader.optional()),
        totalHarmonyScoreScaled: score(reader.optional()),
      };
      const ofValues = Array.from({ length: reader.uint() }, () => readValue(reader));
      return { overall, values: ofValues, pairings: readPairings(reader) };
    },
  };
}

/** A list, and the place of each of its members. */
class Places<T extends string | number> {
  readonly #members: readonly T[];
  readonly #places: ReadonlyMap<T, number>;

  constructor(members: readonly T[]) {
    this.#members = members;
    this.#places = new Map(members.map((member, place) => [member, place]));
  }

  placeOf(member: T): number {
    const place = this.#places.get(member);
    if (place === undefined) throw new RangeError(`results name ${member}, which the assessment does not know`);
    return place;
  }

  at(place: number): T {
    const member = this.#members[place];
    if (member === undefined) throw new RangeError("results name a place that the assessment does not have");
    return member;
  }
}

function hundredths(value: number | null): number | null {
  if (value === null) return null;
  const whole = Math.round(value * units);
  if (whole / units !== value) throw new RangeError("a reported number has more than two decimals");
  return whole;
}

function score(value: number | null): number | null {
  return value === null ? null : value / units;
}
