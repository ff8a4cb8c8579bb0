// Parses Accept-Language.
import { maxPreferences } from "../../kernel/languages.ts";

/** A language in a header has one parameter, its quality. */
const maxParts = 3;

/** The tags of an Accept-Language header, by preference. Only the first 32 are read. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? "")
    .split(",", maxPreferences)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";", maxParts).map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
