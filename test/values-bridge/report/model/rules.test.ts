// What a report names and what it leaves unsaid.
import { describe, expect, test } from "vitest";
import { arrangeQuestions } from "../../../../src/products/values-bridge/definition/questions.ts";
import { listPosterValues, writeHeadline } from "../../../../src/products/values-bridge/report/headline.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import type { ReportQuality } from "../../../../src/products/values-bridge/report/report-input.ts";
import type { Points } from "../../../../tools/docs/made-up-answers.ts";
import { answersWith, qualityWith, reportWith, valueIn } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf } from "../../../support/values-bridge/simulated-people.ts";

type Certainty = "joint" | "single" | "none" | null;
type ReportError = NonNullable<ReportQuality["error"]>;
type ScoreError = NonNullable<ReportError["values"][number]["ideal"]>;

interface Told {
  readonly grade?: ReportQuality["response"]["grade"];
  /** By value id; `none` for the others. */
  readonly gaps?: Readonly<Record<number, Certainty>>;
  /** Of the life wanted, by value id; null for the others. */
  readonly ideal?: Readonly<Record<number, ScoreError>>;
  readonly totalGap?: ReportError["totalGap"];
  readonly stability?: ReportError["stability"];
}

/** A quality block that says this and nothing else. */
function qualityOf({ grade = "good", gaps = {}, ideal = {}, totalGap = null, stability = null }: Told): ReportQuality {
  const values = Array.from({ length: 19 }, (_, index) => {
    const valueId = index + 1;
    return { valueId, ideal: ideal[valueId] ?? null, current: null, gap: { certainty: gaps[valueId] ?? "none" } };
  });
  const isJudged = grade === "good" || grade === "caution";
  return qualityWith({ grade }, isJudged ? { values, totalGap, stability } : null);
}

/** The error of a score this far above the mean, in standard errors of 10 points, with these ranks. */
function scoreError(above: number, rankRange: readonly [number, number] = [1, 19]): ScoreError {
  return { centred: 10 * above, standardError: 10, interval: [40, 80], rankRange };
}

describe("differences", () => {
  test.each<[string, Points, string, string | null, boolean]>([
    ["of half a step is not mentioned", [14, 12], "asWanted", null, false],
    ["of 0.75 steps could be chance", [15, 12], "asWanted", "0.8 points more wanted, could be chance", false],
    ["of 1.25 steps is not named", [17, 12], "asWanted", "1.3 points more wanted, could be chance", false],
    ["of 1.5 steps is named", [18, 12], "wantMore", "1.5 points more wanted", false],
    ["of 1.75 steps is not in the summary", [19, 12], "wantMore", "1.8 points more wanted", false],
    ["of 2 steps is in the summary", [20, 12], "wantMore", "2 points more wanted", true],
    ["of 2.5 steps is no whole number", [22, 12], "wantMore", "2.5 points more wanted", true],
    ["of 1.5 steps the other way is named", [12, 18], "liveMore", "1.5 points higher for today", false],
    ["of 3 steps the other way is in the summary", [8, 20], "liveMore", "3 points higher for today", true],
    ["without an answer for one life is not known", [12, null], "tooFewAnswers", null, false],
  ])("a difference %s", (_name, points, group, difference, inSummary) => {
    const report = reportWith({ 5: points });
    expect(valueIn(report, 5)).toMatchObject({ group, difference });
    expect(valueIn(report, 5).gap?.inSummary ?? false).toBe(inSummary);
    const said =
      /^You want more of this than you live today: Accomplishment|^You rated Accomplishment higher for today/;
    expect(report.summary.sentences.filter((each) => said.test(each))).toHaveLength(inSummary ? 1 : 0);
  });

  test("a difference is counted in steps of its scale, without errors of floating point", () => {
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
    ["single", "asWanted", false],
    ["none", "asWanted", false],
    [null, "asWanted", false],
  ])(
    "a difference that is %s certain by the scatter of the answers is in the group %s",
    (certainty, group, inSummary) => {
      const report = reportWith({ 5: [22, 12] }, { quality: qualityOf({ gaps: { 5: certainty } }) });
      expect(valueIn(report, 5)).toMatchObject({ group, gap: { inSummary } });
      expect(report.differences.note).toContain("stands out from the scatter");
    },
  );
});

describe("differences in words", () => {
  test("a difference in words is that of the averages beside it, however they are rounded", () => {
    for (let ideal = 0; ideal <= 24; ideal += 1) {
      for (let current = 0; current <= 24; current += 1) {
        const { standing, difference } = valueIn(reportWith({ 3: [ideal, current] }), 3);
        if (difference === null) continue;
        const [wanted = 0, today = 0] = [...standing.matchAll(/\d\.\d/g)].map(Number);
        expect(Number.parseFloat(difference)).toBeCloseTo(Math.abs(wanted - today), 9);
      }
    }
  });

  test("a difference comes with the statements that make it, the largest first, as they were rated", () => {
    const { statements } = valueIn(reportWith({ 5: [23, 7] }), 5);
    expect(statements).toHaveLength(3);
    const sizes = statements.map(({ wanted, today }) => Math.abs(wanted - today));
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    const texts = longForm()
      .values.find(({ id }) => id === 5)
      ?.items.map(({ predicate }) => predicate);
    for (const { text, wanted, today, standing } of statements) {
      expect(texts).toContain(text.text);
      const isInverse = text.text === "I put a task aside once it is good enough";
      expect(standing).toBe(`wanted ${wanted}, today ${today}${isInverse ? " (counts the other way)" : ""}`);
    }
    expect(valueIn(reportWith({ 5: [17, 12] }), 5).statements).toEqual([]);
  });

  test("a difference leaves out statements that differ the other way", () => {
    const answers = answersWith({ 5: [24, 6] });
    const questions = arrangeQuestions(longForm(), 1).filter(({ valuesBridgeConfig: { valueId } }) => valueId === 5);
    // One statement on value 5 is wanted not at all and lived completely.
    const turned = questions[0]?.predicate;
    for (const { predicate, position, valuesBridgeConfig } of questions) {
      const { lifeContext, inverse } = valuesBridgeConfig;
      if (predicate === turned) answers[position - 1] = (lifeContext === "ideal") === inverse ? 7 : 1;
    }
    const { gap, statements } = valueIn(createReportModel(inputOf(longForm(), answers)), 5);
    expect(gap?.named).toBe(true);
    expect(statements.map(({ text }) => text.text)).not.toContain(turned);
    expect(statements).toHaveLength(3);
  });
});

describe("the summary", () => {
  const points: Record<number, Points> = { 2: [24, 14], 5: [16, 4], 9: [20, 11], 11: [14, 2], 17: [8, 18] };

  test("the summary names three differences at most, from the top of the list, which goes by size", () => {
    const report = reportWith(points);
    expect(report.summary.sentences.slice(-2)).toEqual([
      "You want more of this than you live today: Accomplishment, Heritage and Independence.",
      "You rated Fairness higher for today than for the life you want.",
    ]);
    expect(report.differences.groups[0]?.valueIds).toEqual([5, 11, 2, 9]);
  });

  test("the summary names no difference while a larger one is not certain", () => {
    const report = reportWith(points, { quality: qualityOf({ gaps: { 2: "joint", 5: "single", 17: "joint" } }) });
    expect(report.summary.sentences.slice(-2)).toEqual([
      "You want more of this than you live today: Independence.",
      "You rated Fairness higher for today than for the life you want.",
    ]);
  });

  test("the summary says that a value leads only if its worst rank is 8 or better, and else that it is among the highest", () => {
    const wanted: Record<number, Points> = { 1: [24, 20], 2: [23, 20], 3: [20, 20], 4: [19, 19], 5: [18, 18] };
    const said = (ideal: NonNullable<Told["ideal"]>) =>
      reportWith(wanted, { quality: qualityOf({ ideal }) }).summary.sentences;
    expect(said({ 1: scoreError(4, [1, 8]), 2: scoreError(4, [1, 9]) })).toEqual([
      "Clearly among what you want most: Free Thinking.",
      "Also high: Independence, Novelty, Enjoyment and Accomplishment. Your answers leave open which of them comes first.",
    ]);
    expect(said({ 1: scoreError(4, [1, 8]), 2: scoreError(4, [1, 8]) })[0]).toBe(
      "Clearly among what you want most: Free Thinking and Independence.",
    );
    const quality = qualityOf({ ideal: { 1: scoreError(4, [1, 8]) } });
    expect(reportWith(wanted, { quality, locales: ["de"] }).summary.sentences[0]).toMatch(
      /^Weit vorn bei dem, was Sie sich für Ihr Leben wünschen: [^,]+\.$/,
    );
    expect(said({})).toEqual([
      expect.stringMatching(/^Among your highest ratings for the life you want: Free Thinking, Independence, Novelty/),
    ]);
  });
});

describe("the archetype", () => {
  const one: Record<number, Points> = { 15: [24, 6], 16: [24, 8], 17: [24, 8], 4: [0, 12], 5: [0, 12], 6: [0, 12] };
  const close: typeof one = { 15: [24, 24], 16: [24, 24], 17: [24, 24], 4: [0, 0], 5: [0, 0], 6: [0, 0] };
  const clear: Told = { totalGap: { noise: 5, aboveNoise: true }, stability: { seTotalGap: 0.1, seFocus: 0.1 } };
  const told = (more: Told, points = one) =>
    reportWith(points, { quality: qualityOf({ ...clear, ...more }) }).summary.archetype;

  test("the archetype has one name, with both of its conditions, if neither is open", () => {
    expect(told({})).toEqual({
      archetypeId: 5,
      name: { text: "Pathbuilder", language: "en" },
      summary: expect.objectContaining({ language: "en" }),
      between: [],
      notes: [
        expect.stringMatching(
          /are 1\.\d points of the answer scale apart; .*Chance alone would make about 0\.3 points\. .*point in one direction/,
        ),
      ],
    });
  });

  test.each<[string, Told, string]>([
    ["its direction is within its error", { stability: { seTotalGap: 0.1, seFocus: 99 } }, "Crossroads"],
    ["the error of its direction is not known", { stability: { seTotalGap: 0.1, seFocus: null } }, "Crossroads"],
    ["its distance is not above noise", { totalGap: { noise: 17, aboveNoise: false } }, "Wayfinder"],
    ["noise is not known", { totalGap: null }, "Wayfinder"],
    ["the next band is within its error", { stability: { seTotalGap: 99, seFocus: 0.1 } }, "Wayfinder"],
    ["one direction has a named pair of opposites", { ideal: { 6: scoreError(2), 16: scoreError(2) } }, "Crossroads"],
  ])("the archetype lies between two, both named, where %s", (_name, more, other) => {
    const archetype = told(more);
    expect(archetype).toMatchObject({ archetypeId: 5, name: { text: `Between “Pathbuilder” and “${other}”` } });
    expect(archetype?.between.map(({ name }) => name.text)).toEqual(["Pathbuilder", other]);
    expect(archetype?.between[0]?.text).toBe(
      "The two lives are 1 to 1.5 points apart on average, and the wishes point in one direction.",
    );
    // The words of neither are printed: they could contradict the lists.
    expect(JSON.stringify(archetype)).not.toMatch(/already has its place|room for each|where you would like to go/);
  });

  test("the archetype lies between four, all named, if both its direction and its distance are open", () => {
    const archetype = told({ stability: { seTotalGap: 99, seFocus: 99 } });
    expect(archetype).toMatchObject({ archetypeId: 5, name: { text: "Between four archetypes" } });
    const names = archetype?.between.map(({ name }) => name.text);
    expect(names).toEqual(["Pathbuilder", "Crossroads", "Wayfinder", "Negotiator"]);
    expect(archetype?.notes[0]).toMatch(/how far apart .*one direction or in several\.$/);
    expect(archetype?.summary.text).toMatch(/^Something of what you wish for is there/);
  });

  test.each<[string, Record<number, Points>]>([
    ["a most wanted value has a named difference", { ...close, 15: [24, 17] }],
    ["a value is wanted more than lived", { ...close, 5: [6, 0] }],
    ["a value is lived more than wanted", { ...close, 5: [0, 6] }],
  ])("the archetype of the shortest distance does not stand alone where %s", (_name, points) => {
    const alone = told({}, close);
    expect([alone?.archetypeId, alone?.between]).toEqual([1, []]);
    const gaps = { 15: "joint", 5: "joint" } as const;
    expect(told({ gaps }, points)?.between.map(({ archetypeId }) => archetypeId)).toEqual([1, 3]);
  });

  test("the archetype of the second distance does not stand alone if a difference of 2 steps is named", () => {
    const somewhat = Object.fromEntries([1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14].map((id) => [id, [12, 7] as Points]));
    const near: typeof one = { ...close, ...somewhat };
    const gaps = { 16: "joint" } as const;
    const alone = told({ gaps }, { ...near, 16: [24, 17] });
    expect([alone?.archetypeId, alone?.between]).toEqual([3, []]);
    expect(told({ gaps }, { ...near, 16: [24, 16] })?.between.map(({ archetypeId }) => archetypeId)).toEqual([3, 5]);
    // Without an estimate of error the list names it all the same.
    expect(reportWith({ ...near, 16: [24, 16] }).summary.archetype?.between).toHaveLength(2);
  });

  test("the archetype has its distance alone without an estimate of error", () => {
    const { archetype } = reportWith(one).summary;
    expect(archetype).toMatchObject({ between: [], notes: [expect.not.stringContaining("Chance")] });
  });
});

describe("values wanted most", () => {
  test("the values wanted most are the first tier, leading values first, with how much of them is lived", () => {
    const quality = qualityOf({
      gaps: { 2: "joint", 4: "joint", 5: "joint" },
      ideal: { 2: scoreError(4, [1, 5]), 7: scoreError(1, [5, 15]), 8: scoreError(1, [6, 15]) },
    });
    const { mostWanted } = reportWith(
      { 1: [24, 24], 2: [23, 16], 3: [22, null], 4: [15, 24], 5: [20, 8] },
      { quality },
    );
    expect(mostWanted?.entries.map(({ valueId, text, leading }) => [valueId, leading, text])).toEqual([
      [2, true, "Rated 1.8 points higher for the life you want than for today."],
      [1, false, null],
      [3, false, "Too few answers on your life today."],
      [5, false, "Rated 3 points higher for the life you want than for today."],
      [4, false, "Rated 2.2 points higher for today than for the life you want."],
    ]);
    expect(mostWanted?.note).toMatch(
      /Where nothing is said about today, your answers do not show a clear difference\.$/,
    );
    expect(mostWanted?.closeBehind).toEqual({
      text: "Close behind: Material Means.",
      valueIds: [7],
    });
  });

  test.each<[string, Record<number, Points>, readonly number[] | undefined]>([
    ["the four highest of five", { 6: [16, 16], 7: [15, 15], 8: [14, 14], 9: [14, 14], 10: [13, 13] }, [6, 7, 8, 9]],
    ["only one, where the others are tied", { 6: [16, 16], 7: [15, 15], 8: [15, 15], 9: [15, 15], 10: [15, 15] }, [6]],
    ["none, where five are tied", { 6: [16, 16], 7: [16, 16], 8: [16, 16], 9: [16, 16], 10: [16, 16] }, undefined],
  ])("the values close behind name %s", (_name, points, named) => {
    const close = Object.fromEntries([6, 7, 8, 9, 10].map((id) => [id, scoreError(1, [5, 15])]));
    const wanted: typeof points = { 1: [24, 24], 2: [23, 23], 3: [22, 22], 4: [21, 21], 5: [20, 20] };
    const { mostWanted } = reportWith({ ...wanted, ...points }, { quality: qualityOf({ ideal: close }) });
    expect(mostWanted?.entries.map(({ valueId }) => valueId)).toEqual([1, 2, 3, 4, 5]);
    expect(mostWanted?.closeBehind?.valueIds).toEqual(named);
  });

  describe.each(Array.from({ length: 19 }, (_, index) => index + 1))("with %i equal values at the top", (tied) => {
    const ids = Array.from({ length: tied }, (_, index) => index + 1);
    const ideal = Object.fromEntries(ids.map((id) => [id, scoreError(4, [1, 8])]));
    const equal = Object.fromEntries(ids.map((id) => [id, [24, 24] as Points]));

    test.each([0, 1, 2, 3])("and %i above them, all of them lead, or are wanted most, or none does", (above) => {
      const higher = Object.fromEntries(ids.slice(0, Math.min(above, tied - 1)).map((id) => [id, [24, 24] as Points]));
      const lower = Object.fromEntries(ids.map((id) => [id, [22, 22] as Points]));
      const report = reportWith(
        { ...lower, ...higher, ...(above === 0 ? equal : {}) },
        { quality: qualityOf({ ideal }) },
      );
      const scores = new Map(report.values.map((value) => [value.valueId, value.ideal.score]));
      const entries = report.mostWanted?.entries ?? [];
      const scoresOf = (of: readonly { readonly valueId: number }[]) => of.map(({ valueId }) => scores.get(valueId));
      const [leading, most] = [scoresOf(entries.filter((entry) => entry.leading)), scoresOf(entries)];
      const named = report.values
        .filter(({ name }) => writeHeadline(report)?.text.includes(name.text))
        .map(({ ideal: { score } }) => score);
      for (const cut of [leading, most, named, scoresOf(listPosterValues(report))]) {
        const held = [...scores.values()].filter((score) => cut.includes(score));
        expect(cut).toHaveLength(held.length);
      }
      expect([leading.length <= 5, most.length <= 7]).toEqual([true, true]);
      const isSilent = report.summary.silence !== null;
      if (isSilent || most.length >= tied) return;
      expect(report.summary.sentences).toContainEqual(expect.stringMatching(/equally high/));
    });
  });

  test("of equal values of which one is not above the average by more than its error, none is wanted most", () => {
    const ideal = { 1: scoreError(4), 2: scoreError(4), 3: scoreError(0.9) };
    const report = reportWith({ 1: [24, 24], 2: [20, 20], 3: [20, 20] }, { quality: qualityOf({ ideal }) });
    expect(report.mostWanted?.entries.map(({ valueId }) => valueId)).toEqual([1]);
  });

  test("a value not above the person's average by more than its error is not wanted most, but may be close behind", () => {
    const wanted: Record<number, Points> = { 1: [24, 24], 2: [23, 23], 3: [22, 22], 4: [21, 21], 5: [20, 20] };
    const ideal = { 3: scoreError(1.1), 4: scoreError(1, [4, 19]), 5: scoreError(0.9, [6, 19]) };
    const report = reportWith(wanted, { quality: qualityOf({ ideal }) });
    expect(report.mostWanted?.entries.map(({ valueId }) => valueId)).toEqual([1, 2, 3]);
    expect(report.mostWanted?.closeBehind?.valueIds).toEqual([4]);
    expect(report.values.filter(({ mostWanted }) => mostWanted).map(({ valueId }) => valueId)).toEqual([1, 2, 3]);
  });

  test("values tied last are left out if ties would make more than half of all wanted most", () => {
    const report = reportWith({ 1: [24, 24], 2: [20, 20], 3: [8, 8], 4: [6, 6] });
    expect(report.values.filter(({ mostWanted }) => mostWanted).map(({ valueId }) => valueId)).toEqual([1, 2]);
  });
});

describe("pairs", () => {
  const points: Record<number, Points> = { 15: [21, 21], 16: [22, 22], 17: [23, 23], 18: [24, 24], 6: [18, 18] };

  test("pairs have both values above the average beyond their errors, three of a kind", () => {
    const ideal = Object.fromEntries([6, 15, 16, 17, 18].map((id) => [id, scoreError(2)]));
    const report = reportWith(points, { quality: qualityOf({ ideal }) });
    expect(report.pairs?.kinds.map(({ kind, pairs }) => [kind, pairs.map(({ text }) => text)])).toEqual([
      ["harmony", ["Fairness and Nature", "Caring and Fairness", "Caring and Nature"]],
      ["conflict", ["Influence and Fairness", "Influence and Caring", "Influence and Reliability"]],
    ]);
  });

  test("a pair is left out if the interval of one value contains the average", () => {
    const ideal = { 6: scoreError(1.9), 15: scoreError(2), 17: scoreError(-3) };
    expect(reportWith(points, { quality: qualityOf({ ideal }) }).pairs).toBeNull();
  });

  test("pairs are left out if errors are not known", () => {
    expect(reportWith(points).pairs).toBeNull();
  });
});

describe("questions to reflect on", () => {
  test("questions come from the largest gap each way and the strongest conflict", () => {
    const gaps = { 1: "joint", 2: "joint", 12: "joint", 7: "joint" } as const;
    const quality = qualityOf({ gaps, ideal: { 1: scoreError(3), 11: scoreError(2) } });
    const points: Record<number, Points> = { 1: [24, 14], 2: [16, 5], 12: [8, 20], 7: [10, 18], 11: [22, 20] };
    const report = reportWith(points, { quality });
    expect(report.questions?.entries).toEqual([
      expect.stringMatching(/^Independence: People who want more of this than they live may .*\?$/),
      expect.stringMatching(/^Rule Respect: People who live more of this than they want may .*\?$/),
      expect.stringContaining("Free Thinking and Heritage"),
    ]);
  });

  test("a question names a value that has no paragraph, or whose paragraph stands above already", () => {
    const points: Record<number, Points> = { 2: [24, 12], 12: [8, 20] };
    const gaps = { 2: "joint", 12: "joint" } as const;
    const quality = qualityOf({ gaps, ideal: { 2: scoreError(4, [1, 5]) } });
    const values = longForm().values.map((value) => (value.id === 12 ? { ...value, name: "Order" } : value));
    const input = inputOf({ ...longForm(), values }, answersWith(points), { quality });
    expect(createReportModel(input).questions?.entries).toEqual([
      expect.stringContaining("more Independence than"),
      expect.stringContaining("so much Order"),
    ]);
  });

  test("a report without differences and conflicts has no questions", () => {
    expect(reportWith({ 1: [14, 14], 2: [12, 13] }).questions).toBeNull();
  });
});

describe("answers that do not distinguish values", () => {
  const fewAnswered = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index + 1, [null, null] as Points]));

  test("nine values are too few to distinguish, ten are enough", () => {
    const scored = (count: number) => {
      const answered = Object.fromEntries(
        Array.from({ length: 19 }, (_, index) => [index + 1, (index < count ? [index, 12] : [null, null]) as Points]),
      );
      return reportWith(answered).summary.silence;
    };
    expect([scored(9), scored(10)]).toEqual([expect.stringMatching(/^9 of 19 values/), null]);
  });

  test.each([
    ["the same for all values", reportWith({}), /the same rating/],
    ["for nine values", reportWith({ ...fewAnswered, 15: [24, 4] }), /^9 of 19 values/],
    [
      "with the grade fail",
      reportWith({ 15: [24, 4], 2: [20, 4] }, { quality: qualityOf({ grade: "fail" }) }),
      /draws nothing/,
    ],
  ])(
    "answers %s get one sentence that says why, and no archetype, pairs, questions or first places",
    (_name, report, why) => {
      expect(report.summary).toMatchObject({ silence: expect.stringMatching(why), archetype: null });
      expect(report).toMatchObject({ pairs: null, questions: null, mostWanted: null });
      expect(report.summary.sentences.join()).not.toMatch(/lead|highest/);
      expect(report.values.every(({ mostWanted }) => !mostWanted)).toBe(true);
    },
  );

  test("answers with the grade fail are not sorted by differences, and no difference is named", () => {
    const { differences, values } = reportWith(
      { 15: [24, 4], 2: [20, null] },
      { quality: qualityOf({ grade: "fail" }) },
    );
    expect(differences.groups.map(({ group, valueIds }) => [group, valueIds.length])).toEqual([
      ["unsorted", 18],
      ["tooFewAnswers", 1],
    ]);
    expect(differences.note).toContain("do not allow differences to be told from chance");
    expect(values.every(({ difference }) => difference === null)).toBe(true);
  });

  test("answers for one life leave the archetype unresolved: it has no name, and the report says why", () => {
    const { archetype, silence } = reportWith({ 15: [24, null] }, {}, [12, null]).summary;
    expect(silence).toBeNull();
    expect(archetype).toMatchObject({
      name: null,
      notes: [],
      summary: { text: expect.stringMatching(/^Too few answers on your life today/) },
    });
  });
});

test("results that scoring would not give again have no report", () => {
  const input = inputOf(longForm(), answersWith({ 15: [24, 4] }));
  const explanation = { ...input.explanation, explainsResults: false };
  expect(() => createReportModel({ ...input, explanation })).toThrow(/An earlier release scored these answers/);
});

test.each([
  ["other values", (id: number) => id + 30, 19],
  ["more values", (id: number) => id, 18],
])("results of an assessment with %s are refused", (_name, idOf, count) => {
  const { translations: _, ...definition } = longForm();
  const values = definition.values.slice(0, count).map((value) => ({ ...value, id: idOf(value.id) }));
  const input = inputOf(longForm(), answersWith({}));
  expect(() => createReportModel({ ...input, definition: { ...definition, values } })).toThrow(RangeError);
});
