// The texts of team reports.
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import french from "./fr.json" with { type: "json" };
import italian from "./it.json" with { type: "json" };
import dutch from "./nl.json" with { type: "json" };

/** Every text of a team report, by name: those that English has. */
type TeamTexts = typeof english;

const languages: ReadonlyMap<string, TeamTexts> = new Map([
  ["en", english],
  ["de", german],
  ["es", spanish],
  ["fr", french],
  ["it", italian],
  ["nl", dutch],
]);

/** The texts of a language that reports are written in. @param tag BCP 47 tag */
export function teamTextsOf(tag: string): TeamTexts {
  return languages.get(tag) ?? english;
}
