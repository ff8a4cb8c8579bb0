// What a report names and what it leaves unsaid.
import { describe, expect, test } from "vitest";
import { reportModel } from "../../../src/products/values-bridge/report/report.ts";
import type { ReportQuality } from "../../../src/products/values-bridge/report/report-input.ts";
import type { Points } from "../../../tools/docs/made-up-answers.ts";
import { answersWith, qualityWith, reportWith, valueIn } from "../../support/reports/reports.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf } from "../../support/values-bridge/simulated-people.ts";

type Certainty = "joint" | "single" | "none" | null;

function qualityOf(
  grade: ReportQuality["response"]["grade"],
  certainties: Readonly<Record<number, Certainty>> = {},
  stability: NonNullable<ReportQuality["error"]>["stability"] = null,
): ReportQuality {
  const values = Array.from({ length: 19 }, (_, index) => {
    const certainty = certainties[index + 1];
    return { valueId: index + 1, gap: { certainty: certainty === undefined ? "none" : certainty } };
  });
  return qualityWith({ grade }, grade === "fail" || grade === "unknown" ? null : { values, stability });
}

describe("a difference", () => {
  test.each<[string, Points, string, string | null, boolean]>([
    ["of 1.25 steps is not named", [17, 12], "asWanted", null, false],
    ["of 1.5 steps is named", [18, 12], "wantMore", "2 steps less", false],
    ["of 1.75 steps is not in the summary", [19, 12], "wantMore", "2 steps less", false],
    ["of 2 steps is in the summary", [20, 12], "wantMore", "2 steps less", true],
    ["of 2.5 steps is 3 in whole ones", [22, 12], "wantMore", "3 steps less", true],
    ["of 1.5 steps the other way is named", [12, 18], "liveMore", "2 steps more", false],
    ["of 3 steps the other way is in the summary", [8, 20], "liveMore", "3 steps more", true],
    ["without an answer for one life is not known", [12, null], "tooFewAnswers", null, false],
  ])("%s", (_name, points, group, difference, inSummary) => {
    const report = reportWith({ 5: points });
    expect(valueIn(report, 5)).toMatchObject({ group, difference });
    expect(valueIn(report, 5).gap?.inSummary ?? false).toBe(inSummary);
    expect(report.summary.sentences.filter((each) => /more Accomplishment in/.test(each))).toHaveLength(
      inSummary ? 1 : 0,
    );
  });

  test("is counted in steps of its scale, whatever doubles make of it", () => {
    for (let ideal = 0; ideal <= 24; ideal += 1) {
      for (let current = 0; current <= 24; current += 1) {
        const { gap, group } = valueIn(reportWith({ 3: [ideal, current] }), 3);
        expect(gap?.steps).toBe((ideal - current) / 4);
        expect(group === "asWanted").toBe(Math.abs(ideal - current) < 6);
      }
    }
  });

  test.each<[Certainty, string, boolean]>([
    ["joint", "wantMore", true],
    ["single", "wantMore", false],
    ["none", "asWanted", false],
    [null, "asWanted", false],
  ])("that is %s certain by the answers' own scatter is in the group %s", (certainty, group, inSummary) => {
    const report = reportWith({ 5: [22, 12] }, { quality: qualityOf("good", { 5: certainty }) });
    expect(valueIn(report, 5)).toMatchObject({ group, gap: { inSummary } });
    expect(report.differences.note).toContain("stands out from the scatter");
  });
});

describe("the summary", () => {
  test("names three values at most, those first that are wanted most and differ most", () => {
    const report = reportWith({ 2: [24, 14], 5: [16, 4], 9: [20, 10], 11: [14, 2], 17: [8, 18] });
    expect(report.summary.sentences).toEqual([
      "You want Independence, Personal Safety and Accomplishment most.",
      "You would like more Independence, Accomplishment and Personal Safety in your life than there is today.",
      "Your life has more Fairness in it than you want.",
    ]);
    expect(report.differences.groups[0]?.valueIds).toEqual([2, 5, 9, 11]);
  });

  test("names no first places that others share", () => {
    const tied = reportWith({ 1: [20, 20], 2: [18, 18], 3: [18, 18], 4: [18, 18] });
    expect(tied.summary.sentences[0]).toBe("You want Free Thinking most.");
    const four = reportWith({ 1: [20, 20], 2: [20, 20], 3: [20, 20], 4: [20, 20], 5: [10, 10] });
    expect(four.summary.sentences[0]).not.toContain("most");
  });

  test("says that nothing differs only if nothing does", () => {
    const same = "Between the life you want and your life today, no value differs by 2 steps or more.";
    expect(reportWith({ 1: [20, 14] }).summary.sentences).toContain(same);
    expect(reportWith({ 1: [20, 12] }).summary.sentences).not.toContain(same);
    expect(reportWith({ 1: [20, 12] }, { quality: qualityOf("good") }).summary.sentences).not.toContain(same);
  });

  test("has the archetype with both of its conditions behind the facts", () => {
    const { archetype } = reportWith({
      15: [24, 6],
      16: [24, 8],
      17: [24, 8],
      4: [0, 12],
      5: [0, 12],
      6: [0, 12],
    }).summary;
    expect(archetype?.name).toEqual({ text: "Pathbuilder", language: "en" });
    expect(archetype?.notes).toEqual([expect.stringMatching(/is 1\.\d steps from .* point in one direction/)]);
  });

  test.each<[string, number[], number, string | undefined]>([
    ["four of four replicates repeat it", [5, 5, 5, 5], 4, undefined],
    ["three of four do", [5, 5, 6, 5], 3, undefined],
    ["two do: the other one is named", [5, 7, 7, 5], 2, "It is close to “Far Shore”:"],
    ["none of the others has a name", [9, 9, 9, 5], 1, "It is close to another name:"],
  ])("the archetype is close to another one or not: %s", (_name, archetypes, sameArchetype, note) => {
    const quality = qualityOf("good", {}, { archetypes, sameArchetype });
    const points: Record<number, Points> = {
      15: [24, 6],
      16: [24, 8],
      17: [24, 8],
      4: [0, 12],
      5: [0, 12],
      6: [0, 12],
    };
    const notes = reportWith(points, { quality }).summary.archetype?.notes.slice(1) ?? [];
    expect(notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
  });
});

describe("what is wanted most", () => {
  test("is the first tier, and how much of it is lived", () => {
    const report = reportWith({ 1: [24, 24], 2: [23, 16], 3: [22, null], 4: [21, 24], 5: [20, 8] });
    expect(report.mostWanted?.entries).toEqual([
      { valueId: 1, text: "Lived about as much as wanted." },
      { valueId: 2, text: "Lived 2 steps less than wanted." },
      { valueId: 3, text: "Too few answers on your life today." },
      { valueId: 4, text: "Lived about as much as wanted." },
      { valueId: 5, text: "Lived 3 steps less than wanted." },
    ]);
  });

  test("leaves out those tied last, where ties would make it more than half of all", () => {
    const report = reportWith({ 1: [24, 24], 2: [20, 20], 3: [8, 8], 4: [6, 6] });
    expect(report.values.filter(({ mostWanted }) => mostWanted).map(({ valueId }) => valueId)).toEqual([1, 2]);
  });
});

describe("pairs", () => {
  test("are those of which both values are priorities, three of a kind", () => {
    const report = reportWith({ 14: [20, 20], 15: [21, 21], 16: [22, 22], 17: [23, 23], 18: [24, 24], 6: [18, 18] });
    expect(report.pairs?.kinds.map(({ kind, pairs }) => [kind, pairs.map(({ text }) => text)])).toEqual([
      ["harmony", ["Fairness and Nature", "Caring and Fairness", "Caring and Nature"]],
      ["conflict", ["Influence and Fairness", "Influence and Caring", "Influence and Reliability"]],
    ]);
  });

  test("are left out if a value is no more than the person's average", () => {
    expect(reportWith({ 1: [24, 24], 2: [13, 13] }).pairs).toBeNull();
  });
});

describe("questions", () => {
  test("come from the largest gap each way and the strongest conflict", () => {
    const report = reportWith({ 1: [24, 14], 2: [16, 5], 12: [8, 20], 7: [10, 18], 11: [22, 20] });
    expect(report.questions?.entries).toEqual([
      expect.stringContaining("more Independence than"),
      expect.stringContaining("so much Rule Respect"),
      expect.stringContaining("Free Thinking and Heritage"),
    ]);
  });

  test("there are none without a datum", () => {
    expect(reportWith({ 1: [14, 14], 2: [12, 13] }).questions).toBeNull();
  });
});

describe("answers that tell nothing apart", () => {
  const fewAnswered = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index + 1, [null, null] as Points]));

  test.each([
    ["the same for all values", reportWith({}), /the same rating/],
    ["for nine values", reportWith({ ...fewAnswered, 15: [24, 4] }), /^Only 9 of 19 values/],
    ["with the grade fail", reportWith({ 15: [24, 4], 2: [20, 4] }, { quality: qualityOf("fail") }), /draws nothing/],
  ])("%s get one sentence that says why, and no archetype, pairs, questions or first places", (_name, report, why) => {
    expect(report.summary).toMatchObject({ silence: expect.stringMatching(why), archetype: null });
    expect(report).toMatchObject({ pairs: null, questions: null, mostWanted: null });
    expect(report.summary.sentences.join()).not.toMatch(/most|no value differs/);
    expect(report.values.every(({ mostWanted }) => !mostWanted)).toBe(true);
  });

  test("with the grade fail are not sorted by differences, and none is named", () => {
    const { differences, values } = reportWith({ 15: [24, 4], 2: [20, null] }, { quality: qualityOf("fail") });
    expect(differences.groups.map(({ group, valueIds }) => [group, valueIds.length])).toEqual([
      ["unsorted", 18],
      ["tooFewAnswers", 1],
    ]);
    expect(differences.note).toContain("do not allow differences to be told from chance");
    expect(values.every(({ difference }) => difference === null)).toBe(true);
  });

  test("for one life leave the archetype unresolved: its summary stands there, its name does not", () => {
    const { archetype, silence } = reportWith({ 15: [24, null] }, {}, [12, null]).summary;
    expect(silence).toBeNull();
    expect(archetype).toMatchObject({
      name: null,
      notes: [],
      summary: { text: expect.stringMatching(/^There are too few/) },
    });
  });
});

describe("stored results that scoring would not give again", () => {
  const input = inputOf(longForm(), answersWith({ 15: [24, 4], 2: [4, 20], 3: [null, null], 5: [12, 13] }));
  const { explanation } = input;

  test.each([
    ["without an explanation", null],
    ["with one of other results", explanation === null ? null : { ...explanation, explainsResults: false }],
  ])("%s have places and differences, and neither picture nor sentence", (_name, given) => {
    const report = reportModel({ ...input, explanation: given });
    expect(report).toMatchObject({ picture: null, mostWanted: null, pairs: null, questions: null });
    expect(report.summary).toMatchObject({
      sentences: [],
      archetype: null,
      silence: expect.stringMatching(/earlier release/),
    });
    expect(report.values.every(({ ideal, current }) => ideal.score === null && current.average === null)).toBe(true);
    expect(valueIn(report, 15)).toMatchObject({
      standing: "wanted: place 1 (core), today: place 18 (peripheral)",
      difference: "5 steps less",
      gap: { points: 83.33, named: false },
    });
    expect(valueIn(report, 5).difference).toBe("less than 1 step");
    const [all, few] = report.differences.groups;
    expect([all?.group, all?.valueIds.length, all?.valueIds[0]]).toEqual(["unsorted", 18, 15]);
    expect([few?.group, few?.valueIds]).toEqual(["tooFewAnswers", [3]]);
  });
});

test.each([
  ["other values", (id: number) => id + 30, 19],
  ["more values", (id: number) => id, 18],
])("results of an assessment with %s are refused", (_name, idOf, count) => {
  const { translations: _, ...definition } = longForm();
  const values = definition.values.slice(0, count).map((value) => ({ ...value, id: idOf(value.id) }));
  const input = inputOf(longForm(), answersWith({}));
  expect(() => reportModel({ ...input, definition: { ...definition, values } })).toThrow(RangeError);
});
