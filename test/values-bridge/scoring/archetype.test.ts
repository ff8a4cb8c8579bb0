// The archetype at the edges of its bands.
import { expect, test } from "vitest";
import { createRounder } from "../../../src/products/values-bridge/scoring/exact.ts";
import { chooseArchetype } from "../../../src/products/values-bridge/scoring/totals.ts";
import { questionnaire, toScoringModel } from "../../support/values-bridge/scoring-model.ts";

const sampleModel = toScoringModel(questionnaire());
const round2 = createRounder(2);

interface Totals {
  readonly gap?: number;
  readonly values?: number;
  readonly harmony?: number | null;
  readonly conflict?: number | null;
}

function choose({ gap = 0, values = 19, harmony = 70, conflict = 50 }: Totals) {
  return chooseArchetype(sampleModel, { reported: gap, values }, harmony, conflict, round2);
}

test.each([
  [0, 1, 2],
  [9.99, 1, 2],
  [10, 3, 4],
  [16.99, 3, 4],
  [17, 5, 6],
  [24.99, 5, 6],
  [25, 7, 8],
  [100, 7, 8],
])("the archetype at a gap of %d is %d if focused and %d if plural", (gap, focused, plural) => {
  expect(choose({ gap, harmony: 62, conflict: 50 }).archetypeId).toBe(focused);
  expect(choose({ gap, harmony: 61.99, conflict: 50 }).archetypeId).toBe(plural);
});

test("the archetype is focused from a difference of exactly 12, although doubles fall short of it", () => {
  expect(64.02 - 52.02).toBeLessThan(12);
  expect(choose({ harmony: 64.02, conflict: 52.02 })).toMatchObject({ archetypeId: 1, focus: 12 });
});

test("the archetype is plural if conflict exceeds harmony by however much", () => {
  expect(choose({ harmony: 20, conflict: 90 })).toMatchObject({ archetypeId: 2, focus: -70 });
});

test("the archetype is unresolved without a total gap, or with fewer than 10 gaps", () => {
  const withoutGap = chooseArchetype(sampleModel, null, 70, 50, round2);
  expect(withoutGap).toMatchObject({ archetypeId: 9, unresolved: "too_few_gaps" });
  expect(choose({ values: 9 })).toMatchObject({ archetypeId: 9, unresolved: "too_few_gaps" });
  expect(choose({ values: 10 })).toMatchObject({ archetypeId: 1, unresolved: null });
});

test("the archetype is unresolved without a total gap even if the model asks for no gaps", () => {
  const lenient = { ...sampleModel, constants: { ...sampleModel.constants, minGapValues: 0 } };
  expect(chooseArchetype(lenient, null, 80, 20, round2).unresolved).toBe("too_few_gaps");
});

test("the archetype is unresolved without harmony or conflict", () => {
  const expected = { archetypeId: 9, gapBand: null, focus: null, direction: null, unresolved: "no_pairing_totals" };
  expect(choose({ harmony: null })).toEqual(expected);
  expect(choose({ conflict: null })).toEqual(expected);
});

test("a model with a hole between its bands of archetypes throws", () => {
  const holed = { ...sampleModel, archetypes: sampleModel.archetypes.filter((rule) => rule.id !== 5) };
  expect(() => chooseArchetype(holed, { reported: 20, values: 19 }, 80, 20, round2)).toThrow(RangeError);
});
