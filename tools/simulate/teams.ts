// What team reports name where there is nothing to name, and where there is.
import { minForSpread, minPeople } from "../../src/domain/groups/disclosure.ts";
import { type Member, readMember } from "../../src/products/values-bridge/groups/member.ts";
import { summarizeGroup } from "../../src/products/values-bridge/groups/summarize.ts";
import {
  createTeamReportModel,
  type TeamReportModel,
} from "../../src/products/values-bridge/report/team/team-model.ts";
import { answer, drawInstrument, drawPerson, type Instrument } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

/** People in a simulated group. */
export const teamSizes = [6, 12, 24] as const;

/** How much less a value is lived than wanted where groups have a difference: mean and SD over people, in points of the scale. */
const difference = { mean: 1.5, sd: 0.8 };
/** A lag that every value has. */
const commonLag = 0.3;
/** One group is drawn for so many people of the other figures. */
const peopleOfGroup = 5;

type Topic = "wanted" | "gaps" | "close" | "apart";
/** Shares of groups in which something is named: wrongly, but for `found`. */
type Name = "lagging" | "any" | "found";

/** Groups whose members have their own tastes and nothing in common, but for what `found` is of. */
export function teamFigures(
  random: Random,
  population: Population,
  setting: Setting,
  people: number,
): readonly { readonly size: number; readonly figures: Record<Name, Figure> }[] {
  return teamSizes.map((size) => {
    const tallies: Record<Name, Tally> = {
      lagging: new Tally(),
      any: new Tally(),
      found: new Tally(),
    };
    for (let group = 0; group < people / peopleOfGroup; group += 1) {
      const nothing = { ...population, popularity: 0, attraction: 0 };
      const instrument = drawInstrument(random, nothing, setting.statements.length, setting.perValue);
      const reportOn = (lagsOf: () => readonly number[]) => draw(random, nothing, instrument, setting, size, lagsOf);
      const alike = reportOn(() => []);
      const names = (report: TeamReportModel | null, topic: Topic) =>
        report?.sections.some((section) => section.topic === topic && section.entries.length > 0) ?? false;
      tallies.any.add((["wanted", "gaps", "close", "apart"] as const).some((topic) => names(alike, topic)));
      const lagging = reportOn(() => setting.statements.map(() => commonLag));
      tallies.lagging.add(names(lagging, "gaps"));
      const differing = reportOn(() => [difference.mean + random.normal(difference.sd)]);
      tallies.found.add(names(differing, "gaps"));
    }
    const { lagging, any, found } = tallies;
    return { size, figures: { lagging: share(lagging), any: share(any), found: share(found) } };
  });
}

/**
 * The report on a group whose members want and have the same, but for lags of the first values; null without numbers.
 * @param lagsOf those of a member
 */
function draw(
  random: Random,
  population: Population,
  instrument: Instrument,
  { statements, assessor, definition }: Setting,
  size: number,
  lagsOf: () => readonly number[],
): TeamReportModel | null {
  const members: Member[] = [];
  // Few sheets are of no use; a group in which most are is not awaited.
  for (let tries = 0; members.length < size && tries < 10 * size; tries += 1) {
    const { attitude, ...rest } = drawPerson(random, population, instrument);
    const lags = lagsOf();
    const current = attitude.ideal.map((ideal, value) => ideal - (lags[value] ?? 0));
    const person = { ...rest, attitude: { ideal: attitude.ideal, current } };
    const member = readMember(assessor.compiled, answer(random, population, instrument, person, statements), null);
    if (member !== null) members.push(member);
  }
  if (members.length < minPeople) return null;
  const numbers = summarizeGroup(assessor.compiled, members, members.length >= minForSpread);
  return createTeamReportModel({ groupId: "", definition, numbers, label: "", closedAt: new Date(0), locales: ["en"] });
}
