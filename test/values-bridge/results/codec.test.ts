// Results in the store: what is read is what was written, to the last digit, whatever was answered.
import { describe, expect, test } from "vitest";
import { toResults } from "../../../src/values-bridge/json/results.ts";
import { toResultsMessage } from "../../../src/values-bridge/messages/results.ts";
import { compileResultsCodec } from "../../../src/values-bridge/results/results-codec.ts";
import type { Results } from "../../../src/values-bridge/scoring/results.ts";
import { questionnaire, scoringModel } from "../../support/scoring-model.ts";
import { anySession, forAll, lives, patience, scoreOf } from "../scoring/sessions.ts";

const codec = compileResultsCodec(scoringModel(questionnaire()));

describe("results", () => {
  test("are read as they were written, whatever was answered", patience, () => {
    forAll(anySession, (session) => {
      const results = scoreOf(session);
      expect(codec.decode(codec.encode(results))).toEqual(results);
    });
  });

  test("take at most 320 bytes", patience, () => {
    forAll(anySession, (session) => expect(codec.encode(scoreOf(session)).length).toBeLessThanOrEqual(320));
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
    expect(() => codec.decode(Buffer.from([2, ...bytes.subarray(1)]))).toThrow(RangeError);
    expect(() => codec.decode(bytes.subarray(0, -1))).toThrow(RangeError);
  });

  test("with a number that has more than two decimals are not stored", () => {
    const results = scoreOf(
      lives(
        () => 4,
        () => 4,
      ),
    );
    const finer: Results = { ...results, overall: { ...results.overall, totalHarmonyScoreScaled: 1.234 } };
    expect(() => codec.encode(finer)).toThrow(RangeError);
  });

  test("are the same as a message and as JSON, null for what has no score", patience, () => {
    forAll(anySession, (session) => {
      const results = scoreOf(session);
      expect(JSON.stringify(toResults(toResultsMessage(results)))).toBe(JSON.stringify(results));
    });
  });
});
