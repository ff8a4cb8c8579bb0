// Chooses the available language that suits a person best, by the lookup of RFC 4647.
import Negotiator from "negotiator";

/** Most preferences that are read: nobody reads so many languages. */
const maxPreferences = 32;
/** Longer tags are skipped. RFC 5646 (section 4.4.1) finds that no tag of a language needs more. */
const maxTagLength = 35;

/**
 * The first preference that is available: by the same tag, else by a shorter one (`de` for `de-AT`), else by a longer one
 * (`pt-BR` for `pt`). Undefined if none can. Invalid tags are skipped.
 * @param preferred BCP 47 tags, in order of preference
 */
export function matchLanguage<T extends string>(preferred: readonly string[], available: readonly T[]): T | undefined {
  if (preferred.length === 0) return undefined;
  const tags = available.map((own) => ({ own, tag: canonicalizeTag(own) ?? own }));
  for (const preference of preferred.slice(0, maxPreferences)) {
    const full = preference.length > maxTagLength ? undefined : canonicalizeTag(preference);
    if (full === undefined) continue;
    for (let shorter = full; shorter !== ""; shorter = shorter.slice(0, Math.max(0, shorter.lastIndexOf("-")))) {
      const exact = tags.find(({ tag }) => tag === shorter);
      if (exact !== undefined) return exact.own;
    }
    const [language] = full.split("-", 1);
    const longer = tags.find(({ tag }) => tag.startsWith(`${language}-`));
    if (longer !== undefined) return longer.own;
  }
  return undefined;
}

/** @param tag Java, POSIX and some apps write `de_AT` */
function canonicalizeTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** The tags of an Accept-Language header, by preference. Only the first 32 are read. */
export function parseAcceptedLanguages(header: string | undefined): string[] {
  const tags = new Negotiator({ headers: { "accept-language": header ?? "" } }).languages();
  return tags.filter((tag) => tag !== "*").slice(0, maxPreferences);
}
