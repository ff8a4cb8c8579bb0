// Results with every number written out, seven bits a byte: some 300 bytes. What the dense form cannot say is stored
// so.
import type { ScoringModel } from "../scoring/model.ts";
import type { PairingResult, Results, ValueResult } from "../scoring/results.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { hundredths, maxScore, score, units } from "./hundredths.ts";
import { IndexTable } from "./index-table.ts";

/** The first byte. */
export const plainFormat = 1;

export interface PlainCodec {
  encode(results: Results): Buffer;
  /** Throws RangeError for bytes that it has not written. */
  decode(bytes: Uint8Array): Results;
}

/** The codec for results of one assessment version. */
export function plainCodec(model: ScoringModel): PlainCodec {
  const values = new IndexTable(model.valueIds);
  const pairings = new IndexTable(model.pairings.map(({ id }) => id));
  const tiers = new IndexTable([...model.constants.tiers.map(({ name }) => name), model.constants.unranked]);
  const archetypes = new IndexTable([...model.archetypes.map(({ id }) => id), model.unresolvedArchetypeId]);

  function writeValue(writer: ByteWriter, value: ValueResult): void {
    writer.uint(values.indexOf(value.valueId));
    writer.optional(value.idealDisplayRank);
    writer.uint(tiers.indexOf(value.idealRankTier));
    writer.optional(value.currentDisplayRank);
    writer.uint(tiers.indexOf(value.currentRankTier));
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
      writer.uint(plainFormat);
      writer.uint(archetypes.indexOf(overall.archetypeId));
      writer.optional(hundredths(overall.totalAuthenticityGapScaled));
      writer.optional(hundredths(overall.totalConflictScoreScaled));
      writer.optional(hundredths(overall.totalHarmonyScoreScaled));
      writer.uint(ofValues.length);
      for (const value of ofValues) writeValue(writer, value);
      writer.uint(ofPairings.length);
      // Strongest first, so each is a small step below the one before.
      let below = maxScore;
      for (const { valuePairingId, scaledScore } of ofPairings) {
        writer.uint(pairings.indexOf(valuePairingId));
        const score = hundredths(scaledScore);
        writer.optional(score === null ? null : below - score);
        below = score ?? below;
      }
      return writer.bytes();
    },

    decode(bytes) {
      const reader = new ByteReader(bytes);
      if (reader.uint() !== plainFormat) throw new RangeError("these results are in a format that is not known");
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
