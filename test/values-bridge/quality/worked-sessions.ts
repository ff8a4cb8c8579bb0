// The worked cases of sessions, as every transport has to tell them.
import type { Answers } from "../../../src/products/values-bridge/scoring/cells.ts";
import { differences, vector } from "./vectors.ts";

interface Response {
  readonly grade: string;
  readonly flags: readonly { readonly index: string; readonly level: string }[];
  readonly longestRun: number;
  readonly spread: number | null;
  readonly secondsPerAnswer: number | null;
}

/** What a transport tells of a session: its results, and the block beside them. */
export interface ToldSession {
  readonly results: { readonly overall: { readonly archetypeId?: number | null } };
  readonly quality: unknown;
}

export interface WorkedSession {
  /** The case, and its number where a case has several sessions. */
  readonly name: string;
  /** In asking order. */
  readonly answers: Answers;
  /** Every place at which what is told is not what the case says. */
  readonly wrongIn: (told: ToldSession) => string[];
}

const total = 152;

/** A session with everything that the block says of it. */
function wholeSession(name: string): WorkedSession {
  type Expected = Readonly<Record<"coverage" | "response" | "error", unknown>> & {
    readonly archetypeIdOfResults: number;
  };
  const { input, expected } = vector<{ answers: Answers }, Expected>(name);
  const { archetypeIdOfResults: archetypeId, coverage, response, error } = expected;
  return {
    name,
    answers: input.answers,
    wrongIn: ({ results, quality }) => {
      const block = quality as Expected;
      return [
        ...differences(archetypeId, results.overall.archetypeId, "/archetypeId"),
        ...differences(coverage, block.coverage, "/coverage"),
        ...differences(response, block.response, "/response"),
        ...differences(asTold(error), block.error, "/error"),
      ];
    },
  };
}

/** P02: the longest run and the spread of answers of which there are few, all to the first statements. */
const fewAnswers: readonly WorkedSession[] = (() => {
  const { input, expected } = vector<Answers[], Pick<Response, "longestRun" | "spread">[]>("P02");
  return input.map((block, place) => {
    const row = expected[place] ?? { longestRun: Number.NaN, spread: null };
    const spread = row.spread === null ? null : Number(row.spread.toFixed(4));
    return {
      name: `P02, ${place + 1}`,
      answers: Array.from({ length: total }, (_, position) => block[position] ?? null),
      wrongIn: ({ quality }) => {
        const { longestRun, spread: told } = (quality as { response: Response }).response;
        return differences({ longestRun: row.longestRun, spread }, { longestRun, spread: told });
      },
    };
  });
})();

export const workedSessions = [...fewAnswers, ...["P04", "P05", "P06", "P07", "P08", "P09"].map(wholeSession)];

/** Those of one who answers the short form. */
export const workedShortSessions = ["P20", "P21", "P22"].map(wholeSession);

/** P10: when the answers of P04 arrived, and what is told of their speed. */
export const workedTimes = (() => {
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
  return input.map((times, place) => ({ ...times, expected: expected[place] }));
})();

/** What is told of the speed of a session's answers, in the form of the cases. */
export function toldSpeed(quality: unknown) {
  const { secondsPerAnswer, flags } = (quality as { response: Response }).response;
  return { secondsPerAnswer, flags: flags.map(({ index, level }) => [index, level]) };
}

const measures = ["ideal", "current", "gap"] as const;

/** P11: every place at which a change that is told is not what the case says. */
export function wrongInChange(change: Readonly<Record<string, unknown>>): string[] {
  type Cell = Readonly<Record<"change" | "se" | "index", number> & { consistent: string }>;
  type Expected = Record<(typeof measures)[number], { values: Record<string, Cell>; df: number; variance: number }>;
  const { expected } = vector<unknown, Expected>("P11");
  const { variance, values } = change.statements as {
    variance: Record<string, unknown>;
    values: ({ valueId: number } & Record<string, unknown>)[];
  };
  return measures.flatMap((measure) => {
    const { df, variance: pooled, values: cells } = expected[measure];
    const rows = Object.entries(cells).map(([id, { change: points, se, index, consistent }]) => {
      return { valueId: Number(id), change: { change: points, standardError: se, index, consistent } };
    });
    const changes = values.map((value) => ({ valueId: value.valueId, change: value[measure] }));
    return [
      ...differences(asTold({ df, variance: pooled }), variance[measure], `/variance/${measure}`),
      ...differences(asTold(rows), changes, `/${measure}`),
    ];
  });
}

/** Members that are told with four decimals. */
const toFour = ["variance", "index"];

/** Numbers of the file as they are told: variances and indices with four decimals, all others with two. */
function asTold(expected: unknown, name = ""): unknown {
  if (typeof expected === "number") return Number(expected.toFixed(toFour.includes(name) ? 4 : 2));
  if (Array.isArray(expected)) return expected.map((each) => asTold(each, name));
  if (typeof expected !== "object" || expected === null) return expected;
  return Object.fromEntries(Object.entries(expected).map(([member, value]) => [member, asTold(value, member)]));
}
