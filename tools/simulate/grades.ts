// How answers are graded: those of attentive people, and those of people who do not read.
import type { Grade } from "../../src/products/values-bridge/quality/quality.ts";
import { answer, drawInstrument, drawPerson } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

export type GradeFigures = Record<"good" | "caution" | "fail", Figure>;

/** A way of answering; `attentive` is what the person would have answered with attention. */
export type Style = (random: Random, attentive: readonly number[]) => readonly number[];

/** Without reading: any rating, each as likely. */
export const anyRating: Style = (random, attentive) => attentive.map(() => random.whole(1, 7));

/** Without reading: any rating. */
export const guessing = {
  "any rating, each as likely": anyRating,
  "any rating in the second block": (random, attentive) =>
    attentive.map((rating, index) => (2 * index < attentive.length ? rating : random.whole(1, 7))),
} satisfies Readonly<Record<string, Style>>;

/** Without reading: always the same rating. */
export const straightLining = {
  "one rating throughout": (random, attentive) => {
    const rating = random.whole(1, 7);
    return attentive.map(() => rating);
  },
  "one rating in each block": (random, attentive) => {
    const ratings = [random.whole(1, 7), random.whole(1, 7)];
    return attentive.map((_, index) => ratings[2 * index < attentive.length ? 0 : 1] ?? 1);
  },
  "one rating in the second block": (random, attentive) => {
    const rating = random.whole(1, 7);
    return attentive.map((own, index) => (2 * index < attentive.length ? own : rating));
  },
} satisfies Readonly<Record<string, Style>>;

/** Grades of sessions that are answered in one way. */
export function gradeFigures(
  random: Random,
  population: Population,
  { statements, perValue, assess }: Setting,
  people: number,
  style: Style = (_, attentive) => attentive,
): GradeFigures {
  const tallies = { good: new Tally(), caution: new Tally(), fail: new Tally() };
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const person = drawPerson(random, population, instrument);
    const answers = style(random, answer(random, population, instrument, person, statements));
    const grade: Grade = assess(answers).response.grade;
    for (const [name, tally] of Object.entries(tallies)) tally.add(grade === name);
  }
  return { good: share(tallies.good), caution: share(tallies.caution), fail: share(tallies.fail) };
}
