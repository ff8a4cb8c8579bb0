// Names that callers misspell: `external_id` where `externalId` is meant.

/** Longer names are not shown. */
const maxShownLength = 60;

/** The one of the known names that a name equals but for case, `_` and `-`; undefined if it equals none, or is one. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxShownLength || known.includes(name)) return undefined;
  const folded = fold(name);
  return known.find((each) => fold(each) === folded);
}

/** A name that was sent, for people: in full if it looks like one. */
export function shownName(name: string): string {
  return name.length <= maxShownLength && /^[\w.-]+$/.test(name) ? `\`${name}\`` : "of this name";
}

function fold(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}
