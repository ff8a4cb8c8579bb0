// Every threshold of response quality at its boundary, and what the flags add up to.
import { describe, expect, test } from "vitest";
import { gradeCuts, toShortForm } from "../../../src/products/values-bridge/definition/forms.ts";
import { type SeparationIndex, separationIndices } from "../../../src/products/values-bridge/quality/compile.ts";
import { findFlags, toGrade } from "../../../src/products/values-bridge/quality/grade.ts";
import type { Flag, ResponseIndices } from "../../../src/products/values-bridge/quality/quality.ts";
import { assessorOf, builtIn } from "./models.ts";
import { vector } from "./vectors.ts";

/** Indices that raise no flag. */
const sound: ResponseIndices = {
  longestRun: 1,
  spread: 1.5,
  opposites: -0.5,
  consistency: 0.7,
  consistencyIdeal: 0.7,
  consistencyCurrent: 0.7,
  secondsPerAnswer: 5,
  agreementIdeal: 0,
  agreementCurrent: 0,
  agreementShift: 0,
};

const offers = new Set(separationIndices);

type Separation = Pick<ResponseIndices, "consistency" | "opposites">;
const ofBlocks = { consistencyIdeal: 0.7, consistencyCurrent: 0.7 };

type Changes = Partial<ResponseIndices> & { readonly blocks?: readonly [number | null, number | null] };

const { compiled } = assessorOf(builtIn);

/** The flags of the built-in instrument: 19 values, ratings 1 to 7, first of the life wanted. */
function flags({ blocks: [first, second] = [0.7, 0.7], ...changes }: Changes, cuts = gradeCuts.long): string[] {
  const indices = { ...sound, consistencyIdeal: first, consistencyCurrent: second, ...changes };
  return findFlags(indices, { ...compiled, cuts }).map(({ index, level }) => `${index} ${level}`);
}

test.each<[string, Changes, string[]]>([
  ["nothing unusual", {}, []],
  ["a run one below half of the values", { longestRun: 9 }, []],
  ["a run of half of the values, rounded up", { longestRun: 10 }, ["longestRun warn"]],
  ["a run one below a full round", { longestRun: 18 }, ["longestRun warn"]],
  ["a run of a full round", { longestRun: 19 }, ["longestRun fail"]],
  ["a spread of an eighth of the span", { spread: 0.75 }, []],
  ["a spread below an eighth", { spread: 0.749999 }, ["spread warn"]],
  ["a spread of a fifteenth", { spread: 0.4 }, ["spread warn"]],
  ["a spread below a fifteenth", { spread: 0.399999 }, ["spread fail"]],
  ["no spread", { spread: null }, []],
  ["opposites at -0.20", { opposites: -0.2 }, []],
  ["opposites above -0.20", { opposites: -0.199999 }, ["opposites warn"]],
  ["no opposites", { opposites: null }, []],
  ["a consistency of 0.33", { consistency: 0.33 }, []],
  ["a consistency of 0.33 that a double misses", { consistency: 1 - 0.67 }, []],
  ["a consistency below 0.33", { consistency: 0.329999 }, ["consistency warn"]],
  ["no consistency", { consistency: null }, []],
  ["a second block of 0.20", { blocks: [0.7, 0.2] }, []],
  ["a second block below 0.20", { blocks: [0.7, 0.199999] }, ["secondBlock warn"]],
  ["a second block below 0.20 after a first of 0.20", { blocks: [0.2, 0.1] }, ["secondBlock warn"]],
  ["a second block below 0.20 after a first below it", { blocks: [0.199999, 0.1] }, []],
  ["a first block below 0.20 alone", { blocks: [0.1, 0.7] }, []],
  ["no second block", { blocks: [0.7, null] }, []],
  ["a second block below 0.20 after none", { blocks: [null, 0.1] }, []],
  ["2 seconds for each answer", { secondsPerAnswer: 2 }, []],
  ["less than 2 seconds", { secondsPerAnswer: 1.999999 }, ["speed warn"]],
  ["1 second", { secondsPerAnswer: 1 }, ["speed warn"]],
  ["less than 1 second", { secondsPerAnswer: 0.999999 }, ["speed fail"]],
  ["no times", { secondsPerAnswer: null }, []],
])("flags are raised as expected for %s", (_, changes, expected) => {
  expect(flags(changes)).toEqual(expected);
});

test("flags come in the order of the indices, one for each", () => {
  const all = { longestRun: 76, spread: 0, opposites: 1, consistency: 0.1, secondsPerAnswer: 0.5 };
  expect(flags({ ...all, blocks: [0.3, 0] })).toEqual([
    "longestRun fail",
    "spread fail",
    "opposites warn",
    "consistency warn",
    "secondBlock warn",
    "speed fail",
  ]);
});

describe("grades", () => {
  const grade = (raised: Flag[], indices: Separation, answerCount = 152, questionCount = 152) =>
    toGrade(raised, { ...ofBlocks, ...indices }, { cuts: gradeCuts.long, offers, questionCount }, answerCount);
  const warn: Flag = { index: "opposites", level: "warn" };
  const fail: Flag = { index: "spread", level: "fail" };
  const of = (...indices: Flag["index"][]): Flag[] => indices.map((index) => ({ index, level: "warn" }));

  test.each<[string, Flag[], string]>([
    ["good without a flag", [], "good"],
    ["caution with one warning", [warn], "caution"],
    ["caution with two warnings of one cause", of("opposites", "consistency"), "caution"],
    ["caution with all three warnings of one cause", of("opposites", "consistency", "secondBlock"), "caution"],
    ["fail with two warnings of two causes", of("opposites", "speed"), "fail"],
    ["fail with warnings of one cause and of another", of("longestRun", "opposites", "consistency"), "fail"],
    ["fail with two warnings, neither of that cause", of("longestRun", "spread"), "fail"],
    ["fail with one failure", [fail], "fail"],
    ["fail with a failure and warnings of one cause", [fail, ...of("opposites", "consistency")], "fail"],
  ])("the grade is %s", (_, raised, expected) => {
    expect(grade(raised, { consistency: 0.2, opposites: 0 })).toBe(expected);
  });

  test("the grade is fail where opposites warn and consistency is below 0.1, as if the answers were guessed", () => {
    const guessed = of("opposites", "consistency");
    expect(grade(guessed, { consistency: 0.1, opposites: 0 })).toBe("caution");
    expect(grade(guessed, { consistency: 0.0999, opposites: 0 })).toBe("fail");
    expect(grade(of("consistency"), { consistency: 0.0999, opposites: -0.2 })).toBe("caution");
    expect(grade(guessed, { consistency: null, opposites: 0 })).toBe("caution");
    expect(grade(guessed, { consistency: 0, opposites: null })).toBe("caution");
  });

  test("answers without an index that the form offers are not good, without opposites and consistency unknown, unless they fail", () => {
    const found = (
      missing: readonly SeparationIndex[],
      raised: Flag[] = [],
      offered: readonly SeparationIndex[] = [...offers],
    ) => {
      const indices = { ...sound, ...Object.fromEntries(missing.map((index) => [index, null])) };
      return toGrade(raised, indices, { ...compiled, offers: new Set(offered) }, 100);
    };
    const both = ["opposites", "consistency"] as const;
    expect(found([])).toBe("good");
    for (const index of separationIndices) {
      expect(found([index]), index).toBe("caution");
      expect(
        found(
          [index],
          [],
          separationIndices.filter((other) => other !== index),
        ),
        index,
      ).toBe("good");
    }
    expect(found(both)).toBe("unknown");
    expect(found(both, [warn])).toBe("unknown");
    expect(found(both, [fail])).toBe("fail");
    expect(found(both, of("longestRun", "spread"))).toBe("fail");
    expect(found(separationIndices, [], [])).toBe("good");
  });

  test("the grade is unknown below half of the statements, whatever the flags", () => {
    expect(grade([], sound, 76, 152)).toBe("good");
    expect(grade([], sound, 75, 152)).toBe("unknown");
    expect(grade([fail], sound, 75, 152)).toBe("unknown");
    expect(grade([], sound, 2, 5)).toBe("unknown");
    expect(grade([], sound, 3, 5)).toBe("good");
  });
});

describe("the second block", () => {
  const { answers } = vector<{ answers: readonly number[] }, unknown>("P09").input;
  const exchanged = [...answers.slice(76), ...answers.slice(0, 76)];
  const currentFirst = { ...builtIn, frames: builtIn.frames.toReversed() };
  const raised = (assessor: ReturnType<typeof assessorOf>, sheet: readonly number[]) =>
    assessor.assess(sheet, null).response.flags.map(({ index }) => index);

  test("the second block is the one asked second, whichever life it is about", () => {
    expect(assessorOf(currentFirst).assess(answers, null).response.consistencyIdeal).toBeLessThan(0.2);
    expect(raised(assessorOf(currentFirst), answers)).toEqual(["secondBlock"]);
  });

  test("the second block raises no flag where the random block came first", () => {
    expect(raised(assessorOf(builtIn), exchanged)).not.toContain("secondBlock");
  });
});

describe("cuts of the short form", () => {
  const { long, short } = gradeCuts;

  test("the cuts of the short form are those of the long form, of two statements instead of four by Spearman and Brown", () => {
    const ofTwo = (ofFour: number) => (2 * ofFour) / (ofFour + 4 - 3 * ofFour);
    expect(ofTwo(long.consistency)).toBeCloseTo(short.consistency, 2);
    expect(ofTwo(long.guess.consistency)).toBeCloseTo(short.guess.consistency, 2);
    expect(ofTwo(long.secondBlock)).toBeCloseTo(short.secondBlock, 2);
    // Opposites of a mean of three forward statements and an inverse one, if two statements correlate by this.
    const ofThreeAndOne = (one: number) => (-Math.sqrt(3) * one) / Math.sqrt(1 + 2 * one);
    expect(ofThreeAndOne(-short.opposites)).toBeCloseTo(long.opposites, 2);
  });

  test("the cuts of the short form grade its sessions, and no others", () => {
    expect(flags({ opposites: -0.15, consistency: 0.21 })).toEqual(["opposites warn", "consistency warn"]);
    expect(flags({ opposites: -0.15, consistency: 0.21 }, short)).toEqual([]);
    const guessed = { ...ofBlocks, consistency: 0.04, opposites: 0.1 };
    const inShort = { cuts: short, offers, questionCount: 76 };
    expect(toGrade([], guessed, inShort, 76)).toBe("good");
    expect(toGrade([], { ...guessed, opposites: 0.11 }, inShort, 76)).toBe("fail");
    expect(toGrade([], { ...guessed, consistency: 0.05, opposites: 0.11 }, inShort, 76)).toBe("good");
    const definition = toShortForm(builtIn);
    expect([assessorOf(builtIn), definition && assessorOf(definition)].map((each) => each?.compiled.cuts)).toEqual([
      long,
      short,
    ]);
  });
});
