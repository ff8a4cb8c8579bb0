// The same person again: how often the archetype recurs, and what counts as change where nothing has changed.

import { compareUnrounded } from "../../src/products/values-bridge/quality/change.ts";
import type { SessionComparison } from "../../src/products/values-bridge/quality/quality.ts";
import { answer, drawInstrument, drawMood, drawPerson, type Mood } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

/** Standard deviation of a mood that moves all statements on one value in one life alike, in points of the scale. */
export const moodSd = 0.3;

type Name =
  | "recurs"
  | "recursIfAll"
  | "recursIfHalf"
  | "consistent"
  | "joint"
  | "consistentInMood"
  | "jointInMood"
  | "consistentInMoods"
  | "jointInMoods";

/** What an immediate repeat gives: the same statements and thoughts, other slips. */
export function repeatFigures(
  random: Random,
  population: Population,
  { statements, perValue, assess, assessor }: Setting,
  people: number,
): Record<Name, Figure> {
  const tallies: Record<Name, Tally> = {
    recurs: new Tally(),
    recursIfAll: new Tally(),
    recursIfHalf: new Tally(),
    consistent: new Tally(),
    joint: new Tally(),
    consistentInMood: new Tally(),
    jointInMood: new Tally(),
    consistentInMoods: new Tally(),
    jointInMoods: new Tally(),
  };
  const countChanges = ({ statements: changes }: SessionComparison, single: Tally, joint: Tally) => {
    for (const { ideal, current, gap } of changes?.values ?? []) {
      for (const change of [ideal, current, gap]) {
        single.add(change?.consistent !== "none");
        joint.add(change?.consistent === "joint");
      }
    }
  };
  for (let index = 0; index < people; index += 1) {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    const person = drawPerson(random, population, instrument);
    const sit = (mood?: Mood) => answer(random, population, instrument, person, statements, mood);
    const sitInMood = () => sit(drawMood(random, statements.length, moodSd));
    const [first, second, moody, otherwiseMoody] = [sit(), sit(), sitInMood(), sitInMood()];
    const [before, after] = [assess(first).error?.stability, assess(second).error?.stability];
    if (before && after) {
      const isSame = before.archetypeId === after.archetypeId;
      tallies.recurs.add(isSame);
      if (before.sameArchetype === before.versions) tallies.recursIfAll.add(isSame);
      if (2 * before.sameArchetype <= before.versions) tallies.recursIfHalf.add(isSame);
    }
    const session = (answers: readonly number[]) => ({ assessor, answers, times: null });
    countChanges(compareUnrounded(session(first), session(second)), tallies.consistent, tallies.joint);
    countChanges(compareUnrounded(session(first), session(moody)), tallies.consistentInMood, tallies.jointInMood);
    const changesOfMood = compareUnrounded(session(moody), session(otherwiseMoody));
    countChanges(changesOfMood, tallies.consistentInMoods, tallies.jointInMoods);
  }
  return {
    recurs: share(tallies.recurs),
    recursIfAll: share(tallies.recursIfAll),
    recursIfHalf: share(tallies.recursIfHalf),
    consistent: share(tallies.consistent),
    joint: share(tallies.joint),
    consistentInMood: share(tallies.consistentInMood),
    jointInMood: share(tallies.jointInMood),
    consistentInMoods: share(tallies.consistentInMoods),
    jointInMoods: share(tallies.jointInMoods),
  };
}
