// How answers are graded: those of attentive people, and those of people who do not read.
import { answer, drawInstrument, drawPerson } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

export type GradeFigures = Record<"good" | "caution" | "fail", Figure>;

/** A way of answering; `attentive` is what the person would have answered with attention. */
type Style = (random: Random, attentive: readonly number[]) => readonly number[];

/** Without reading: any rating, each as likely. */
const anyRating: Style = (random, attentive) => attentive.map(() => random.whole(1, 7));

/** Without reading: any rating. */
export const guessing = {
  "any rating, each as likely": anyRating,
  "any rating in the second block": (random, attentive) =>
    attentive.map((rating, index) => (2 * index < attentive.length ? rating : random.whole(1, 7))),
} satisfies Readonly<Record<string, Style>>;

/** Grades of sessions that are answered in one way. */
export function gradeFigures(
  random: Random,
  population: Population,
  { statements, perValue, grade }: Setting,
  people: number,
  style: Style = (_, attentive) => attentive,
): GradeFigures {
  const tallies = { good: new Tally(), caution: new Tally(), fail: new Tally() };
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const person = drawPerson(random, population, instrument);
    const answers = style(random, answer(random, population, instrument, person, statements));
    const foundGrade = grade(answers);
    for (const [name, tally] of Object.entries(tallies)) tally.add(foundGrade === name);
  }
  return { good: share(tallies.good), caution: share(tallies.caution), fail: share(tallies.fail) };
}

const aroundMiddle = (random: Random) => Math.min(7, Math.max(1, Math.round(4 + random.normal(1))));

/** Ways of answering, of which some statements are left out. */
export const incompleteStyles = {
  attentive: (_, attentive) => attentive,
  ...guessing,
  "ratings around the middle (SD 1)": (random, attentive) => attentive.map(() => aroundMiddle(random)),
  "ratings around the middle in the second block": (random, attentive) =>
    attentive.map((rating, index) => (2 * index < attentive.length ? rating : aroundMiddle(random))),
} satisfies Readonly<Record<string, Style>>;

/** Shares of the statements that are left out, by lot. */
export const shares = [0, 0.15, 0.3] as const;

/** Grades of people who answer in each of these ways, by its name, and leave out each of these shares. */
export function incompleteFigures(
  random: Random,
  population: Population,
  { statements, perValue, grade }: Setting,
  people: number,
): ReadonlyMap<string, readonly Record<"good" | "fail", Figure>[]> {
  const countsByStyle = Object.entries(incompleteStyles).map(([name, style]) => {
    return { name, style, tallies: shares.map(() => ({ good: new Tally(), fail: new Tally() })) };
  });
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const person = drawPerson(random, population, instrument);
    const attentive = answer(random, population, instrument, person, statements);
    for (const { style, tallies } of countsByStyle) {
      const answers = style(random, attentive);
      for (const [place, { good, fail }] of tallies.entries()) {
        const foundGrade = grade(answers.map((rating) => (random.uniform() < (shares[place] ?? 0) ? null : rating)));
        good.add(foundGrade === "good");
        fail.add(foundGrade === "fail");
      }
    }
  }
  return new Map(
    countsByStyle.map(({ name, tallies }) => [
      name,
      tallies.map(({ good, fail }) => ({ good: share(good), fail: share(fail) })),
    ]),
  );
}
