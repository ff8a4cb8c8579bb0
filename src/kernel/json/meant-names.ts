// Names that callers misspell: `external_id` or `externlId` where `externalId` is meant.

/** Longer names are not shown, and not compared. */
const maxShownLength = 60;
/** Letters that a misspelt name may have too many, too few, changed or swapped. */
const maxDistance = 2;

/** The one of the known names that a name equals but for case, `_` and `-`; undefined if it equals none, or is one. */
export function sameName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxShownLength || known.includes(name)) return undefined;
  const folded = fold(name);
  return known.find((each) => fold(each) === folded);
}

/** The known name that is nearest to a name, at most two letters away and less than half of it; undefined if none is. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxShownLength || known.includes(name)) return undefined;
  const folded = fold(name);
  const most = Math.min(maxDistance, Math.ceil(folded.length / 2) - 1);
  const near = known.map((each) => ({ each, distance: distanceOf(folded, fold(each)) }));
  return near.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance)[0]?.each;
}

/** A name that was sent, for people: in full if it looks like one. */
export function shownName(name: string): string {
  return name.length <= maxShownLength && /^[\w.-]+$/.test(name) ? `\`${name}\`` : "of this name";
}

function fold(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/** Optimal string alignment distance: insertions, deletions, changes, and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] ?? 0;
}
