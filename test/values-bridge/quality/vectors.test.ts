// Every worked case of response quality, the error of one session, and change.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { toShortForm } from "../../../src/products/values-bridge/definition/forms.ts";
import { assessSession } from "../../../src/products/values-bridge/quality/assess.ts";
import { compareSessions, compareUnrounded } from "../../../src/products/values-bridge/quality/change.ts";
import type {
  Flag,
  Quality,
  ResponseQuality,
  SessionError,
} from "../../../src/products/values-bridge/quality/quality.ts";
import { computeSpread, longestRun } from "../../../src/products/values-bridge/quality/response.ts";
import {
  criticalValue,
  pool,
  standardError,
  toSample,
} from "../../../src/products/values-bridge/quality/statistics.ts";
import type { Answers } from "../../../src/products/values-bridge/scoring/cells.ts";
import { assessorOf, builtIn, scorerOf } from "./models.ts";
import { differences, vector, vectorIds } from "./vectors.ts";

const assessor = assessorOf(builtIn);

/** Members that the file gives as the block reports them; it gives the others unrounded. */
const reportedMembers = ["score", "centred", "reported", "interval", "total", "change"];

/** `unrounded` with those members as in `reported`. */
function asInFile(unrounded: unknown, reported: unknown): unknown {
  if (typeof unrounded !== "object" || unrounded === null) return unrounded;
  const counterparts = (reported ?? {}) as Readonly<Record<string, unknown>>;
  if (Array.isArray(unrounded)) return unrounded.map((each, index) => asInFile(each, counterparts[index]));
  const members = Object.entries(unrounded).map(([name, member]) => {
    const counterpart = counterparts[name];
    return [name, reportedMembers.includes(name) ? counterpart : asInFile(member, counterpart)];
  });
  return Object.fromEntries(members);
}

test("cases P01 to P11 are those of one person; P20 to P22 of one who answers the short form; the others are of norms and groups", () => {
  expect(vectorIds.slice(0, 11)).toEqual(Array.from({ length: 11 }, (_, i) => `P${String(i + 1).padStart(2, "0")}`));
  expect(vectorIds.slice(11)).toEqual(["P12", "P14", "P15", "P19", "P20", "P21", "P22"]);
});

test("P01: critical values", () => {
  const { input, expected } = vector<number[], number[]>("P01");
  expect(differences(expected, input.map(criticalValue))).toEqual([]);
});

test("P02: longest run and spread", () => {
  const { input, expected } = vector<Answers[], { longestRun: number; spread: number | null }[]>("P02");
  const found = input.map((block) => {
    return { longestRun: longestRun(block), spread: computeSpread(block.filter((rating) => rating !== null)) };
  });
  expect(differences(expected, found)).toEqual([]);
});

test("P03: standard error of a score", () => {
  interface Expected {
    readonly df: number;
    readonly variance: number;
    readonly standardErrors: readonly number[];
  }
  const { input, expected } = vector<{ y: number[]; w: number[] }[], Expected>("P03");
  const { df, squaredDeviations } = pool(input.map(({ y }) => toSample(y)));
  const variance = squaredDeviations / df;
  const standardErrors = input.map(({ w }) => {
    const { sum: weight, squares: squaredWeight } = toSample(w);
    return standardError(variance, 6, { weight, squaredWeight });
  });
  expect(differences(expected, { df, variance, standardErrors })).toEqual([]);
});

describe.each<[string, Definition | undefined]>([
  ...["P04", "P05", "P06", "P07", "P08", "P09"].map((id) => [id, builtIn] as [string, Definition]),
  ...["P20", "P21", "P22"].map((id) => [id, toShortForm(builtIn)] as [string, Definition | undefined]),
])("%s: a whole session", (id, definition = builtIn) => {
  interface Expected {
    readonly coverage: Quality["coverage"];
    readonly response: ResponseQuality;
    readonly error: SessionError | null;
    readonly archetypeIdOfResults: number;
  }
  const { input, expected } = vector<{ answers: Answers }, Expected>(id);
  // By each test: what runs while tests are collected counts for none of them where mutants are looked for.
  const assess = () => assessorOf(definition).assess(input.answers, null);

  test("coverage and response quality, to the last digit", () => {
    const { coverage, response } = assess();
    expect(coverage).toStrictEqual(expected.coverage);
    expect(response).toStrictEqual(expected.response);
    expect(assessorOf(definition).judge(input.answers, null)).toStrictEqual(expected.response);
  });

  test("error", () => {
    const unrounded = assessSession(assessorOf(definition).compiled, input.answers, null);
    expect(differences(expected.error, asInFile(unrounded.error, assess().error))).toEqual([]);
  });

  test("archetype of the results", () => {
    const { archetypeId } = scorerOf(definition).score(input.answers).overall;
    expect(archetypeId).toBe(expected.archetypeIdOfResults);
    expect(assess().error?.stability?.archetypeId ?? archetypeId).toBe(archetypeId);
  });
});

test("P10: seconds for each answer, and the flags they raise", () => {
  interface Times {
    readonly calls: number;
    readonly firstCount: number;
    readonly firstMs: number;
    readonly lastMs: number;
  }
  interface Expected {
    readonly secondsPerAnswer: number | null;
    readonly flags: readonly (readonly [string, string])[];
  }
  const { input, expected } = vector<Times[], Expected[]>("P10");
  const { answers } = vector<{ answers: Answers }, unknown>("P04").input;
  const found = input.map(({ calls, firstCount, firstMs, lastMs }) => {
    const times = {
      firstAnswerAt: new Date(firstMs),
      lastAnswerAt: new Date(lastMs),
      answerCalls: calls,
      firstCallAnswers: firstCount,
    };
    const { secondsPerAnswer, flags } = assessor.assess(answers, times).response;
    return { secondsPerAnswer, flags: flags.map(({ index, level }: Flag) => [index, level]) };
  });
  expect(found).toEqual(expected);
});

test("P11: change between two sessions", () => {
  interface Expected {
    readonly df: number;
    readonly variance: number;
    readonly values: Readonly<Record<string, { change: number; se: number; index: number; consistent: string }>>;
  }
  const { input, expected } = vector<
    { first: Answers; second: Answers },
    Record<"ideal" | "current" | "gap", Expected>
  >("P11");
  const first = { assessor, answers: input.first, times: null };
  const second = { assessor, answers: input.second, times: null };
  const found = asInFile(compareUnrounded(first, second), compareSessions(first, second)) as ReturnType<
    typeof compareSessions
  >;
  for (const measure of ["ideal", "current", "gap"] as const) {
    const { df, variance, values } = expected[measure];
    const changes = Object.entries(values).map(([id, { change, se, index, consistent }]) => {
      return { valueId: Number(id), change: { change, standardError: se, index, consistent } };
    });
    expect(differences({ df, variance }, found.statements?.variance[measure])).toEqual([]);
    const foundChanges = found.statements?.values.map((value) => ({ valueId: value.valueId, change: value[measure] }));
    expect(differences(changes, foundChanges)).toEqual([]);
  }
});
