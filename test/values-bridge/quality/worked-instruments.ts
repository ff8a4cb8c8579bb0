// P01 and P03 as sessions: their numbers need an instrument of their own each.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import type { Answers } from "../../../src/products/values-bridge/scoring/formulas/cells.ts";
import { answersWithPoints, evenInstrument, type Size } from "../../support/values-bridge/even-instrument.ts";
import { differences, vector } from "./vectors.ts";

/** A session of an instrument of its own, without when its answers arrived. */
export interface InstrumentSession {
  readonly name: string;
  readonly definition: Definition;
  readonly answers: Answers;
  /** Every place at which the block is not what the case says. */
  readonly wrongInQuality: (quality: unknown) => string[];
}

interface Block {
  readonly response: { readonly grade: string };
  readonly coverage: { readonly gaps: number };
  readonly error: {
    readonly variance: { readonly ideal: unknown };
    readonly values: readonly {
      readonly valueId: number;
      readonly ideal: { readonly standardError: number } | null;
      readonly gap: { readonly certainty: string } | null;
    }[];
  } | null;
}

// Critical values are not told. Two sessions enclose each: in one the gap of value 1 is a little too small to be joint
// with so many gaps, in the other it is large enough.

/** Enough statements on one value for one gap to have a variance; else enough values for every number of gaps. */
const fewGaps: Size = { values: 10, items: 31 };
const manyGaps: Size = { values: 38, items: 13 };
const definitions = new Map([fewGaps, manyGaps].map((size) => [size, evenInstrument(size)]));

/** Number of gaps; below and above: how many statements on value 1 differ by -3 to 3 points between the lives. */
const enclosing = [
  { gaps: 1, below: [0, 9, 1, 1, 1, 19, 0], above: [0, 0, 7, 8, 16, 0, 0] },
  { gaps: 2, below: [0, 8, 1, 0, 13, 9, 0], above: [0, 7, 0, 1, 20, 3, 0] },
  { gaps: 5, below: [0, 1, 0, 1, 11, 0, 0], above: [0, 3, 0, 1, 1, 8, 0] },
  { gaps: 10, below: [0, 1, 0, 1, 10, 1, 0], above: [0, 3, 0, 0, 3, 7, 0] },
  { gaps: 18, below: [0, 2, 0, 0, 7, 4, 0], above: [0, 1, 1, 2, 4, 5, 0] },
  { gaps: 19, below: [0, 1, 1, 2, 4, 5, 0], above: [0, 1, 1, 1, 6, 4, 0] },
  { gaps: 38, below: [1, 2, 0, 1, 0, 8, 1], above: [2, 0, 1, 0, 1, 9, 0] },
] as const;

/** How far the two gaps of a pair are from the critical value, at most. */
const closeness = 0.015;

/** In turn one up and one down, so that the other gaps are 0; a 13th statement stays. */
const noise = (item: number) => (item === manyGaps.items - 1 ? 0 : item % 2 === 0 ? 1 : -1);

const criticalSessions: readonly InstrumentSession[] = (() => {
  const { input, expected } = vector<number[], number[]>("P01");
  return enclosing.flatMap(({ gaps, below, above }) => {
    const critical = expected[input.indexOf(gaps)] ?? Number.NaN;
    const size = gaps <= 2 ? fewGaps : manyGaps;
    const definition = definitions.get(size) ?? evenInstrument(size);
    return [below, above].map((counts): InstrumentSession => {
      const points = counts.flatMap((count, place) => Array<number>(count).fill(place - 3));
      const differenceOf = (value: number, item: number) =>
        value === 0 ? (points[item] ?? 0) : size === manyGaps ? noise(item) : 0;
      const ratio = gapOverError(size.items, gaps, differenceOf);
      const isAbove = counts === above;
      const isEnclosing = isAbove ? ratio > critical : ratio < critical;
      if (!isEnclosing || Math.abs(ratio - critical) > closeness) throw new Error(`${ratio} encloses no ${critical}`);
      const smaller = ratio < 1.96 ? "none" : "single";
      return {
        name: `P01, ${gaps} gaps, ${isAbove ? "above" : "below"}`,
        definition,
        answers: answersWithPoints(definition, ({ value, item, life }) => {
          if (life === "current" && value >= gaps) return null;
          const difference = differenceOf(value, item);
          const ideal = value === 0 ? 3 + Math.ceil(difference / 2) : 1 + ((2 * value) % 5);
          return life === "ideal" ? ideal : ideal - difference;
        }),
        wrongInQuality: (quality) => {
          const { coverage, error } = quality as Block;
          const told = { gaps: coverage.gaps, certainty: error?.values[0]?.gap?.certainty };
          return differences({ gaps, certainty: isAbove ? "joint" : smaller }, told);
        },
      };
    });
  });
})();

/** The gap of value 1 over its standard error, by section 3 of the specification. */
function gapOverError(items: number, gaps: number, differenceOf: (value: number, item: number) => number): number {
  let squares = 0;
  for (let value = 0; value < gaps; value += 1) {
    const points = Array.from({ length: items }, (_, item) => differenceOf(value, item));
    const mean = points.reduce((sum, each) => sum + each, 0) / items;
    squares += points.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  }
  const variance = squares / (gaps * (items - 1));
  const total = Array.from({ length: items }, (_, item) => differenceOf(0, item)).reduce((sum, each) => sum + each, 0);
  return total / Math.sqrt(items * variance);
}

/** Four times the cells of the case: they alone have too few degrees of freedom, and the variance stays. */
const copies = 4;
const items = 4;

const cellSession: InstrumentSession = (() => {
  interface Expected {
    readonly df: number;
    readonly variance: number;
    readonly standardErrors: readonly number[];
  }
  const { input, expected } = vector<{ y: number[]; w: number[] }[], Expected>("P03");
  const cellOf = (value: number) => input[value % input.length];
  // Statements that a cell does not have weigh nothing, and so count for nothing.
  const weightOf = (value: number, item: number) => (cellOf(value)?.w[item] ?? 0) / 1000;
  const definition = evenInstrument({ values: copies * input.length, items }, weightOf);
  return {
    name: "P03",
    definition,
    answers: answersWithPoints(definition, ({ value, item }) => cellOf(value)?.y[item] ?? 6),
    wrongInQuality: (quality) => {
      const { error } = quality as Block;
      const wanted = {
        variance: { df: copies * expected.df, variance: Number(expected.variance.toFixed(4)) },
        errors: Array.from({ length: copies }, () => expected.standardErrors)
          .flat()
          .map((each) => Number(each.toFixed(2))),
      };
      const errors = error?.values.map(({ ideal }) => ideal?.standardError);
      return differences(wanted, { variance: error?.variance.ideal, errors });
    },
  };
})();

export const instrumentSessions: readonly InstrumentSession[] = [...criticalSessions, cellSession];
