// What norms call a change beyond the error of measurement, of people whose mood is all that moved.

import { reliableChange } from "../../src/products/values-bridge/norms/reliable-changes.ts";
import { measurementError } from "../../src/products/values-bridge/norms/statistics/distribution.ts";
import {
  alphaOf,
  differenceCovariances,
  type Matrix,
  omegaOf,
  oneFactor,
  quadraticForm,
  submatrix,
} from "../../src/products/values-bridge/norms/statistics/reliability.ts";
import type { Statement } from "../../src/products/values-bridge/quality/compile.ts";
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { answer, drawInstrument, drawMood, drawPerson, lives } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import { covariance } from "./reference.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

type Sheets = readonly (readonly number[])[];

/**
 * How often changes are beyond the error of measurement by the norms of the first sittings, if each sitting has a mood
 * of its own and nothing else changed.
 * @param moodSd of the shift that a mood gives all statements on one value in one life, in points of the scale
 */
export function reliableFigures(
  random: Random,
  population: Population,
  { statements, perValue }: Setting,
  people: number,
  moodSd: number,
): Record<"scores" | "gaps", Figure> {
  const instrument = drawInstrument(random, population, statements.length, perValue);
  const pairs = Array.from({ length: people }, () => {
    const person = drawPerson(random, population, instrument);
    const sit = () =>
      answer(random, population, instrument, person, statements, drawMood(random, statements.length, moodSd));
    return [sit(), sit()] as const;
  });
  const [first, second] = [pairs.map(([sheet]) => sheet), pairs.map(([, sheet]) => sheet)];
  const [scores, gaps] = [new Tally(), new Tally()];
  const count = (tally: Tally, before: readonly number[], after: readonly number[], error: number) =>
    before.forEach((one, index) => {
      tally.add(reliableChange(at(after, index) - one, Math.hypot(error, error)).reliable);
    });
  for (const ofValue of statements) {
    const errors = errorsOf(ofValue, first);
    const [before, after] = [first, second].map((sheets) => sheets.map((sheet) => scoresOf(ofValue, sheet)));
    const of = (list: typeof before, read: (ideal: number, current: number) => number) =>
      (list ?? []).map(([ideal = 0, current = 0]) => read(ideal, current));
    const measures = [
      [scores, errors.ideal, (ideal: number) => ideal],
      [scores, errors.current, (_: number, current: number) => current],
      [gaps, errors.gap, (ideal: number, current: number) => ideal - current],
    ] as const;
    for (const [tally, error, read] of measures) count(tally, of(before, read), of(after, read), error);
  }
  return { scores: share(scores), gaps: share(gaps) };
}

/** Keyed answers of a sheet, those of the life wanted first. */
function keyed(ofValue: readonly Statement[], sheet: readonly number[]): number[] {
  return lives.flatMap((life) =>
    ofValue.map(({ [life]: { inverse, position } }) => (inverse ? 7 - at(sheet, position) : at(sheet, position) - 1)),
  );
}

/** The scores of one value in both lives, 0..100. */
function scoresOf(ofValue: readonly Statement[], sheet: readonly number[]): number[] {
  const points = keyed(ofValue, sheet);
  const mean = (list: readonly number[]) => ((100 / 6) * list.reduce((sum, each) => sum + each, 0)) / list.length;
  return [mean(points.slice(0, ofValue.length)), mean(points.slice(ofValue.length))];
}

/** Standard errors of measurement as norms give them: by omega, else by alpha; of gaps by alpha. */
function errorsOf(ofValue: readonly Statement[], sheets: Sheets): Record<"ideal" | "current" | "gap", number> {
  const rows = sheets.map((sheet) => keyed(ofValue, sheet));
  const columns = at(rows, 0).map((_, place) => rows.map((row) => at(row, place)));
  const all: Matrix = columns.map((one) => columns.map((other) => covariance(one, other)));
  const k = ofValue.length;
  const ones = ofValue.map(() => 1);
  const error = (matrix: Matrix, reliability: number | null) =>
    measurementError((100 / 6 / k) * Math.sqrt(quadraticForm(matrix, ones, ones)), reliability) ?? Number.NaN;
  const life = (offset: number) => {
    const matrix = submatrix(
      all,
      ones.map((_, place) => offset + place),
    );
    const model = oneFactor(matrix);
    return error(matrix, model === null ? alphaOf(matrix) : omegaOf(model, ones));
  };
  const gaps = differenceCovariances(all);
  return { ideal: life(0), current: life(k), gap: error(gaps, alphaOf(gaps)) };
}
