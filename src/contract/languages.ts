// Which of the languages at hand suits a person best, after the lookup of RFC 4647.

/**
 * The first preference that can be met: by the same tag, else by a shorter one (`de` for `de-AT`), else by a longer one
 * (`pt-BR` for `pt`). Undefined where none can; tags that are none are passed over.
 * @param preferred BCP 47 tags, the most wanted one first
 */
export function matchLanguage<T extends string>(preferred: readonly string[], available: readonly T[]): T | undefined {
  for (const preference of preferred) {
    const tag = canonicalTag(preference);
    if (tag === undefined) continue;
    const subtags = tag.split("-");
    for (let length = subtags.length; length > 0; length -= 1) {
      const shorter = subtags.slice(0, length).join("-");
      const found = available.find((each) => canonicalTag(each) === shorter);
      if (found !== undefined) return found;
    }
    const longer = available.find((each) => canonicalTag(each)?.startsWith(`${subtags[0]}-`));
    if (longer !== undefined) return longer;
  }
  return undefined;
}

function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
