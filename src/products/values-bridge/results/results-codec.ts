// Results as the store keeps them: some 90 bytes that nobody else reads. What the assessment version knows already,
// such as its ids and the names of its tiers, is written as an index in its own lists, and what follows from other
// numbers is left out.
import type { ScoringModel } from "../scoring/model.ts";
import type { Results } from "../scoring/results.ts";
import { BitReader, BitWriter, bitsOf } from "./bits.ts";
import { densePairings } from "./dense-pairings.ts";
import { denseValues } from "./dense-values.ts";
import { hundredths, maxScore, score } from "./hundredths.ts";
import { IndexTable } from "./index-table.ts";
import { decodeJsonResults, encodeJsonResults } from "./json-results.ts";

/** The first byte of the dense form. JSON begins with `[`. */
const denseFormat = 2;
const jsonFormat = 0x5b;
const formatBits = 8;
/** 0 stands for null. */
const totalBits = bitsOf(maxScore + 2);

export interface ResultsCodec {
  encode(results: Results): Buffer;
  /** The same as JSON, some 1,900 bytes, which releases before 0.2 read as well. */
  encodeForEarlierReleases(results: Results): Buffer;
  /** The results that were encoded; throws RangeError for bytes that no codec of this version has written. */
  decode(bytes: Uint8Array): Results;
}

/** The codec for results of one assessment version. It must stay the same for ever for the same version. */
export function compileResultsCodec(model: ScoringModel): ResultsCodec {
  const indexes = new IndexTable(model.valueIds);
  const archetypes = new IndexTable([...model.archetypes.map(({ id }) => id), model.unresolvedArchetypeId]);
  const archetypeBits = bitsOf(archetypes.count);
  const values = denseValues(
    indexes,
    new IndexTable([...model.constants.tiers.map(({ name }) => name), model.constants.unranked]),
  );
  const pairings = densePairings(model.pairings, indexes);

  function writeDense({ overall, values: ofValues, pairings: ofPairings }: Results): Buffer {
    const writer = new BitWriter();
    writer.write(denseFormat, formatBits);
    writer.write(archetypes.indexOf(overall.archetypeId), archetypeBits);
    writeTotal(writer, overall.totalAuthenticityGapScaled);
    writeTotal(writer, overall.totalConflictScoreScaled);
    writeTotal(writer, overall.totalHarmonyScoreScaled);
    values.write(writer, ofValues);
    const order = ofValues.map(({ valueId }) => indexes.indexOf(valueId));
    pairings.write(writer, ofPairings, order);
    return writer.bytes();
  }

  function readDense(bytes: Uint8Array): Results {
    const reader = new BitReader(bytes);
    reader.read(formatBits);
    const overall = {
      archetypeId: archetypes.at(reader.read(archetypeBits)),
      totalAuthenticityGapScaled: readTotal(reader),
      totalConflictScoreScaled: readTotal(reader),
      totalHarmonyScoreScaled: readTotal(reader),
    };
    const ofValues = values.read(reader);
    const order = ofValues.map(({ valueId }) => indexes.indexOf(valueId));
    return { overall, values: ofValues, pairings: pairings.read(reader, order) };
  }

  /** The dense form, unless it would say something else in any place: then JSON, which says everything. */
  function encode(results: Results): Buffer {
    try {
      const dense = writeDense(results);
      if (areSame(readDense(dense), results)) return dense;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    return encodeJsonResults(results);
  }

  return {
    encode,
    encodeForEarlierReleases: encodeJsonResults,
    decode(bytes) {
      if (bytes[0] === denseFormat) return readDense(bytes);
      if (bytes[0] === jsonFormat) return decodeJsonResults(bytes);
      throw new RangeError("these results are in a format that is not known");
    },
  };
}

/** Both have the members of results and no others. `isDeepStrictEqual` takes longer than all the rest. */
function areSame(one: Results, other: Results): boolean {
  return (
    haveSame(one.overall, other.overall) &&
    one.values.length === other.values.length &&
    one.values.every((value, index) => haveSame(value, other.values[index])) &&
    one.pairings.length === other.pairings.length &&
    one.pairings.every((pairing, index) => haveSame(pairing, other.pairings[index]))
  );
}

function haveSame<T extends object>(one: T, other: T | undefined): boolean {
  for (const name in one) if (one[name] !== other?.[name]) return false;
  return true;
}

function writeTotal(writer: BitWriter, total: number | null): void {
  const written = hundredths(total);
  writer.write(written === null ? 0 : written + 1, totalBits);
}

function readTotal(reader: BitReader): number | null {
  const written = reader.read(totalBits);
  return written === 0 ? null : score(written - 1);
}
