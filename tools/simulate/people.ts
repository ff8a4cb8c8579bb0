// People of a population, and the answers that they give.
import type { Statement } from "../../src/products/values-bridge/quality/compile.ts";
import type { LifeContext } from "../../src/products/values-bridge/scoring/model.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";

export const lives: readonly LifeContext[] = ["ideal", "current"];

/** What all people share: by value, then by statement in the order of the definition. */
export interface Instrument {
  readonly popularity: readonly number[];
  readonly attraction: readonly (readonly number[])[];
}

/** One person, in points of the scale. */
export interface Person {
  /** What the person thinks of each value in each life. */
  readonly attitude: Readonly<Record<LifeContext, readonly number[]>>;
  /** Tastes for single statements, by value. */
  readonly statementTaste: readonly (readonly number[])[];
  readonly agreement: number;
}

/** A shift of what a person thinks of each value in each life, for one sitting. */
export type Mood = Readonly<Record<LifeContext, readonly number[]>>;

/** Draws statements from all that could have been written. */
export function drawInstrument(random: Random, population: Population, values: number, statements: number): Instrument {
  const list = (length: number, sd: number) => Array.from({ length }, () => random.normal(sd));
  return {
    popularity: list(values, population.popularity),
    attraction: Array.from({ length: values }, () => list(statements, population.attraction)),
  };
}

/** Draws a person. */
export function drawPerson(random: Random, population: Population, { popularity, attraction }: Instrument): Person {
  const { level, levelSd, lag, direction, taste, overlap, statementTaste } = population;
  const ownLevel = level + random.normal(levelSd);
  /** Two normal numbers that correlate by `overlap`. */
  const pair = (sd: number) => {
    const shared = random.normal(sd);
    return [shared, overlap * shared + Math.sqrt(1 - overlap ** 2) * random.normal(sd)] as const;
  };
  const [x, y] = [pair(direction), pair(direction)];
  const attitudes = popularity.map((popular, index) => {
    const angle = (2 * Math.PI * index) / popularity.length;
    const own = pair(taste);
    const of = (life: 0 | 1) => ownLevel + popular + x[life] * Math.cos(angle) + y[life] * Math.sin(angle) + own[life];
    return [of(0), of(1) - lag] as const;
  });
  return {
    attitude: { ideal: attitudes.map(([ideal]) => ideal), current: attitudes.map(([, current]) => current) },
    statementTaste: attraction.map((ofValue) => ofValue.map(() => random.normal(statementTaste))),
    agreement: random.normal(population.agreement),
  };
}

/** Draws the mood of one sitting. @param sd of its shifts, in points of the scale */
export function drawMood(random: Random, values: number, sd: number): Mood {
  const shifts = () => Array.from({ length: values }, () => random.normal(sd));
  return { ideal: shifts(), current: shifts() };
}

/** A rating on the scale 1..7. */
function rate(attitude: number): number {
  return Math.min(7, Math.max(1, Math.round(attitude)));
}

/** The answers of one sitting, in asking order. */
export function answer(
  random: Random,
  { slip }: Population,
  { attraction }: Instrument,
  { attitude, statementTaste, agreement }: Person,
  statements: readonly (readonly Statement[])[],
  mood?: Mood,
): number[] {
  const answers: number[] = [];
  statements.forEach((ofValue, value) => {
    ofValue.forEach((statement, place) => {
      const lasting = (attraction[value]?.[place] ?? 0) + (statementTaste[value]?.[place] ?? 0);
      for (const life of lives) {
        const { inverse, position } = statement[life];
        const thought = (attitude[life][value] ?? 0) + (mood?.[life][value] ?? 0) + lasting + random.normal(slip);
        answers[position] = rate((inverse ? 8 - thought : thought) + agreement);
      }
    });
  });
  return answers;
}
