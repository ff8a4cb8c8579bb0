// Suggestions for misspelt names: `external_id` or `externlId` where `externalId` is meant.

/** Longer names are neither shown nor compared. */
const maxShownLength = 60;
/** Most letters that are added, missing or changed; two swapped letters count twice. */
const maxDistance = 2;

/** The known name that differs only in case, `_` and `-`; undefined if there is none, or the name is known. */
export function findCaseVariant(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxShownLength || candidates.includes(name)) return undefined;
  const foldedName = normalize(name);
  return candidates.find((each) => normalize(each) === foldedName);
}

/** The nearest known name, at most two letters away and less than half of its length; undefined if there is none. */
export function suggestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxShownLength || candidates.includes(name)) return undefined;
  const foldedName = normalize(name);
  const maxNameDistance = Math.min(maxDistance, Math.ceil(foldedName.length / 2) - 1);
  const near = candidates.map((each) => ({ each, distance: computeDistance(foldedName, normalize(each)) }));
  return near.filter(({ distance }) => distance <= maxNameDistance).sort((a, b) => a.distance - b.distance)[0]?.each;
}

/** An unknown name for a sentence: in full if it looks like a name. */
export function formatName(name: string): string {
  return name.length <= maxShownLength && /^[\w.-]+$/.test(name) ? `\`${name}\`` : "of this name";
}

function normalize(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/** Levenshtein distance: insertions, deletions and changes. */
function computeDistance(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      next[column] = Math.min((next[column - 1] ?? 0) + 1, (last[column] ?? 0) + 1, change);
    }
    last = next;
  }
  return last[b.length] ?? 0;
}
