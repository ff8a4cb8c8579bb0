// Whether errors are as large as they say: intervals, rank ranges, and the noise of gaps.

import type { ScoreError } from "../../src/products/values-bridge/quality/quality.ts";
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { answer, drawInstrument, drawPerson, lives, type Person } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, number, share, Tally } from "./tally.ts";
import { poolScore } from "./truth.ts";

type Name = "pool" | "gap" | "ranks" | "span" | "tied" | "total" | "scoreError" | "gapError";

/** How often errors hold what they should, over usable sessions of people with statements of their own. */
export function errorFigures(
  random: Random,
  population: Population,
  { statements, perValue, assess }: Setting,
  people: number,
): Record<Name, Figure> {
  const tallies: Record<Name, Tally> = {
    pool: new Tally(),
    gap: new Tally(),
    ranks: new Tally(),
    span: new Tally(),
    tied: new Tally(),
    total: new Tally(),
    scoreError: new Tally(),
    gapError: new Tally(),
  };
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const person = drawPerson(random, population, instrument);
    const { error } = assess(answer(random, population, instrument, person, statements));
    if (error === null || error.totalGap === null) continue;
    tallies.total.add(error.totalGap.total);
    const truths = lives.map((life) =>
      statements.map((ofValue, value) => poolScore(population, person, ofValue, value, life)),
    );
    lives.forEach((life, which) => {
      const ofLife = at(truths, which);
      error.values.forEach(({ [life]: score }, value) => {
        const truth = at(ofLife, value);
        tallies.pool.add(holds(score, truth));
        tallies.scoreError.add(Number(score?.standardError));
        const [best, worst] = score?.rankRange ?? [Number.NaN, Number.NaN];
        const rank = 1 + ofLife.filter((rival) => rival > truth).length;
        tallies.ranks.add(best <= rank && rank <= worst);
        tallies.span.add(worst - best + 1);
      });
      tallies.tied.add(error.values.filter(({ [life]: score }) => Number(score?.tiedWith.length) > 0).length);
    });
    error.values.forEach(({ gap, ideal, current }, value) => {
      const foundGap = Number(ideal?.score) - Number(current?.score);
      const truth = at(at(truths, 0), value) - at(at(truths, 1), value);
      tallies.gap.add(Math.abs(foundGap - truth) <= 1.96 * Number(gap?.standardError));
      tallies.gapError.add(Number(gap?.standardError));
    });
  }
  const { pool, gap: gapCoverage, ranks, span, tied, total, scoreError, gapError } = tallies;
  return {
    pool: share(pool),
    gap: share(gapCoverage),
    ranks: share(ranks),
    span: number(span),
    tied: number(tied),
    total: number(total),
    scoreError: number(scoreError),
    gapError: number(gapError),
  };
}

function holds(score: ScoreError | null, truth: number): boolean {
  const [low, high] = score?.interval ?? [Number.NaN, Number.NaN];
  return low <= truth && truth <= high;
}

type NoiseName = "total" | "noise" | "above" | "joint";

/** What sessions look like in which both lives are thought of alike, so that no gap is real. */
export function noiseFigures(
  random: Random,
  population: Population,
  { statements, perValue, assess }: Setting,
  people: number,
): Record<NoiseName, Figure> {
  const [total, noise, above, joint] = [new Tally(), new Tally(), new Tally(), new Tally()];
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const { attitude, ...rest } = drawPerson(random, population, instrument);
    const person: Person = { ...rest, attitude: { ideal: attitude.ideal, current: attitude.ideal } };
    const { error } = assess(answer(random, population, instrument, person, statements));
    if (error === null || error.totalGap === null) continue;
    total.add(error.totalGap.total);
    noise.add(error.totalGap.noise);
    above.add(error.totalGap.aboveNoise);
    joint.add(error.values.some(({ gap }) => gap?.certainty === "joint"));
  }
  return { total: number(total), noise: number(noise), above: share(above), joint: share(joint) };
}
