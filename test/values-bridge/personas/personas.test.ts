// Personas: the same answers and the same bytes of results for ever, for each edition that was ever shipped.
import { describe, expect, test } from "vitest";
import { toScoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { compilePersonas } from "../../../src/products/values-bridge/personas/personas.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { readGoldenLines, shippedInstrument } from "../../support/values-bridge/golden-personas.ts";

const assessment = await shippedInstrument();

describe("personas of the shipped instrument", () => {
  const personas = assessment.getPersonas();

  test("every persona answers and scores as the golden file says, byte for byte", () => {
    const lines = personas.names.map((persona) => {
      const ratings = personas.findAnswers(persona) ?? [];
      const answers = ratings.map((rating) => rating ?? "-").join("");
      return JSON.stringify({ persona, answers, results: assessment.scorer.score(ratings) });
    });
    expect(lines).toEqual(readGoldenLines());
  });

  test("each archetype has an attentive persona that leads to it", () => {
    for (const { id } of toScoringModel(assessment.definition, assessment.questions).archetypes) {
      const ratings = personas.findAnswers(`archetype-${id}`) ?? [];
      expect(assessment.scorer.score(ratings).overall.archetypeId).toBe(id);
      expect(assessment.getQuality().assess(ratings, null)).toMatchObject({ response: { grade: "good", flags: [] } });
    }
  });

  test("inattentive personas are flagged, and those who leave questions out have null scores", () => {
    const qualityOf = (name: string) => assessment.getQuality().assess(personas.findAnswers(name) ?? [], null);
    expect(qualityOf("straight-line")).toMatchObject({ response: { grade: "fail" } });
    const flags = [{ index: "opposites" }, { index: "consistency" }];
    expect(qualityOf("contradictory")).toMatchObject({ response: { grade: "caution", flags } });
    const { overall, values } = assessment.scorer.score(personas.findAnswers("null-scores") ?? []);
    expect(overall).toMatchObject({ totalConflictScoreScaled: null, totalHarmonyScoreScaled: null });
    expect(values.filter(({ idealDisplayRank }) => idealDisplayRank === null)).toHaveLength(10);
    const none = assessment.scorer.score(personas.findAnswers("one-answer") ?? []);
    expect(none.values.every(({ idealDisplayRank }) => idealDisplayRank === null)).toBe(true);
  });

  test("a persona of an archetype is searched for once, however often it answers", () => {
    let scorings = 0;
    const scorer: typeof assessment.scorer = {
      ...assessment.scorer,
      score(ratings) {
        scorings += 1;
        return assessment.scorer.score(ratings);
      },
    };
    const { findAnswers } = compilePersonas(toScoringModel(assessment.definition, assessment.questions), scorer);
    const first = findAnswers("archetype-1");
    const before = scorings;
    expect(before).toBeGreaterThan(0);
    expect(findAnswers("archetype-1")).toEqual(first);
    expect(scorings).toBe(before);
  });

  test("no other name is a persona", () => {
    for (const name of ["", "archetype-0", "archetype-9", "__proto__", "constructor"]) {
      expect(personas.findAnswers(name)).toBeUndefined();
    }
  });
});

test("an archetype without a matching person has no persona", () => {
  const model = toScoringModel(assessment.definition, assessment.questions);
  const undecided = compileScoring({ ...model, constants: { ...model.constants, minGapValues: 99 } });
  expect(compilePersonas(model, undecided).findAnswers("archetype-7")).toBeUndefined();
});
