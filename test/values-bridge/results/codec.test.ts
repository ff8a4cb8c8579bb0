// Results in the store: what is read is what was written, to the last digit, whatever was answered.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ValuesBridgeResultsSchema } from "../../../src/gen/assessment/v1/results_pb.ts";
import { toJson } from "../../../src/kernel/json/message-json.ts";
import { toResultsMessage } from "../../../src/products/values-bridge/messages/results.ts";
import { compileResultsCodec } from "../../../src/products/values-bridge/results/results-codec.ts";
import { someAssessment } from "../../support/builders.ts";
import { opened } from "../../support/values-bridge/opened.ts";
import { questionnaire, scoringModel } from "../../support/values-bridge/scoring-model.ts";
import { anySession, forAll, lives, patience, scoreOf } from "../../support/values-bridge/sessions.ts";
import { builtIn } from "../quality/models.ts";

const codec = compileResultsCodec(scoringModel(questionnaire()));

describe("results", () => {
  test("are read as they were written, whatever was answered", patience, () => {
    forAll(anySession, (session) => {
      const results = scoreOf(session);
      expect(codec.decode(codec.encode(results))).toEqual(results);
    });
  });

  test("of the instrument take at most 135 bytes, whatever was answered and left out", patience, () => {
    const { scorer, resultsCodec } = opened({ ...someAssessment(), definition: builtIn });
    const rating = fc.option(fc.integer({ min: 1, max: 7 }), { freq: 20 });
    forAll(fc.array(rating, { minLength: 152, maxLength: 152 }), (answers) => {
      const results = scorer.score(answers);
      const bytes = resultsCodec.encode(results);
      expect(bytes.length).toBeLessThanOrEqual(135);
      expect(resultsCodec.decode(bytes)).toEqual(results);
    });
  });

  test("as earlier releases stored them are read as well", () => {
    const stored =
      '[[4,12.34,0,null],[[7,1,"core",2,"guiding",-0.01],[3,null,"unranked",null,"unranked",null]],[[307,100]]]';
    expect(codec.decode(Buffer.from(stored))).toEqual({
      overall: {
        archetypeId: 4,
        totalAuthenticityGapScaled: 12.34,
        totalConflictScoreScaled: 0,
        totalHarmonyScoreScaled: null,
      },
      values: [
        {
          valueId: 7,
          idealDisplayRank: 1,
          idealRankTier: "core",
          currentDisplayRank: 2,
          currentRankTier: "guiding",
          authenticityGapScaled: -0.01,
        },
        {
          valueId: 3,
          idealDisplayRank: null,
          idealRankTier: "unranked",
          currentDisplayRank: null,
          currentRankTier: "unranked",
          authenticityGapScaled: null,
        },
      ],
      pairings: [{ valuePairingId: 307, scaledScore: 100 }],
    });
  });

  test("of a version that is not known, or that are cut short, are refused rather than misread", () => {
    const bytes = codec.encode(
      scoreOf(
        lives(
          () => 4,
          () => 4,
        ),
      ),
    );
    expect(() => codec.decode(Buffer.from([3, ...bytes.subarray(1)]))).toThrow("a format that is not known");
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => codec.decode(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });

  test("that no scoring of today would give are stored as earlier releases did", () => {
    const results = scoreOf(
      lives(
        (valueId) => valueId % 7,
        () => 4,
      ),
    );
    const [first, second, ...others] = results.pairings;
    if (first === undefined || second === undefined) throw new Error("no pairings");
    const swapped = { ...results, pairings: [second, first, ...others] };
    const otherTotal = { ...results, overall: { ...results.overall, totalHarmonyScoreScaled: 0.01 } };
    const fewer = { ...results, values: results.values.slice(1) };
    const otherOrder = { ...results, values: results.values.toReversed() };
    const twice = { ...results, pairings: [...results.pairings, ...results.pairings.slice(-1)] };
    const below = { ...results, overall: { ...results.overall, totalHarmonyScoreScaled: -0.01 } };
    const finer = { ...results, overall: { ...results.overall, totalHarmonyScoreScaled: 1.234 } };
    for (const odd of [swapped, otherTotal, fewer, otherOrder, twice, below, finer]) {
      expect(codec.decode(codec.encode(odd))).toEqual(odd);
    }
    for (const odd of [swapped, fewer, otherOrder, twice, below, finer]) {
      expect(codec.encode(odd)).toEqual(codec.encodeForEarlierReleases(odd));
    }
  });

  test.each([0.01, -0.01, 100, -100])("with a gap of %d, of which no others are multiples, are packed too", (gap) => {
    const results = scoreOf(
      lives(
        (valueId) => valueId % 7,
        () => 4,
      ),
    );
    const values = results.values.map((value, index) => {
      return index < 2 ? { ...value, authenticityGapScaled: index === 0 ? gap : 0.01 } : value;
    });
    const finest = { ...results, values };
    const bytes = codec.encode(finest);
    expect(bytes[0]).toBe(codec.encode(results)[0]);
    expect(codec.decode(bytes)).toEqual(finest);
  });

  // What is stored for years is read by other releases than the one that wrote it.
  test.each([
    [
      "from each rating on the scale",
      (index: number) => 1 + ((index * 5 + Math.trunc(index / 7)) % 7),
      "AjGQmsRmWnCRXtGhTlgTEgjMOF5CmQII3SPFU0rayAJCgsAkKBYYibbbbVUUbdWbUbUUUUUYGbC05AwVEntaO4omrXzJe8IwQUXmwpKYZSsOVPeJiBGA",
    ],
    [
      "of which every fifth is left out",
      (index: number) => (index % 5 === 0 ? null : 1 + ((index * 3) % 7)),
      "AlJbnVZmTm6LBhMkjzyU0UELAVLHlWproRlMIiGQcYEgoWASKCxIbV1iTVlVVVdVVVVVMzk1OTk3KUgjo9AVwnESLIsjL8zZQ80lCQwwpupSkqcKodAA",
    ],
    ["that are all the same", () => 4, "AhAAZxGcRmAIhkKY6EqWxrnwjIIhkKY6EqWxrnwjKYAAAAAABqqqqqqgpxH//8AAAA=="],
    [
      "of which one life has none",
      (index: number) => (index < 76 ? 1 + (index % 7) : null),
      "AoAAHZRqFmSCGFSF7ROiYZ1SWAAAAAAAAAAAAAAAAACSgLYAAABAAAAAADjBRXYfnKWC5CzJPOh0XzXyPjvabJcA",
    ],
    ["of which there are none", () => null, "AoAAAAAAAAAIhkKY6EqWxrnwjIAAAAAAAAAAAAAAAGAAAYAAABAAAAAAAAAAAA=="],
  ] as const)("of answers %s are stored as these bytes", (_, rate, base64) => {
    const { scorer, resultsCodec } = opened({ ...someAssessment(), definition: builtIn });
    const results = scorer.score(Array.from({ length: 152 }, (_, index) => rate(index)));
    expect(resultsCodec.encode(results).toString("base64")).toBe(base64);
    expect(resultsCodec.decode(Buffer.from(base64, "base64"))).toEqual(results);
  });

  test("are the same as a message and as JSON, null for what has no score", patience, () => {
    forAll(anySession, (session) => {
      const results = scoreOf(session);
      expect(JSON.stringify(toJson(ValuesBridgeResultsSchema)(toResultsMessage(results)))).toBe(
        JSON.stringify(results),
      );
    });
  });
});
