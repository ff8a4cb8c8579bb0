// Parses Accept-Language.
import Negotiator from "negotiator";
import { maxPreferences } from "../../kernel/languages.ts";

/** The tags of an Accept-Language header, by preference. Only the first 32 are read. */
export function parseAcceptedLanguages(header: string | undefined): string[] {
  const tags = new Negotiator({ headers: { "accept-language": header ?? "" } }).languages();
  return tags.filter((tag) => tag !== "*").slice(0, maxPreferences);
}
