// The texts of team reports.
import texts from "./texts.json" with { type: "json" };

/** Every text of a team report, by name: those that English has. */
type TeamTexts = typeof texts.en;

const languages: ReadonlyMap<string, TeamTexts> = new Map(Object.entries(texts));

/** The texts of a language that reports are written in. @param tag BCP 47 tag */
export function getTeamTexts(tag: string): TeamTexts {
  return languages.get(tag) ?? texts.en;
}
