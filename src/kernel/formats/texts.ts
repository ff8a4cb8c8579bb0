// What texts are held to.

/** Whether a text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

const maxLocaleLength = 35;

/** Whether a text is a BCP 47 language tag of a length that the store takes. */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLocaleLength) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
