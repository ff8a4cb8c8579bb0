// Whether the numbers of a group, together with numbers that its partner already has, would reveal those of a few people.

/** Numbers of 1 to this many people are never shown, and cannot be derived as a difference of numbers. */
export const mostDifferent = 4;
/** Most groups in a union. */
const mostAdded = 3;
/** Most members that a search reads: about a tenth of a second. Above it a group counts as too similar. */
const mostLookedAt = 3_000_000;

/** Whether there are too few people to show numbers of, but at least one. */
export function isFew(people: number): boolean {
  return people > 0 && people <= mostDifferent;
}

/**
 * Whether a group and the union of up to three others, or one of these and a union with the group in it, differ by 1 to 4
 * members. A member has the same name in every set.
 * @param published groups whose numbers are known
 */
export function isTooAlike(group: ReadonlySet<string>, published: readonly ReadonlySet<string>[]): boolean {
  const search = { left: mostLookedAt };
  const asPart = (whole: ReadonlySet<string>) =>
    isNearlyCovered(whole, whole.difference(group), group.difference(whole), published, mostAdded - 1, search);
  return isNearlyCovered(group, group, new Set(), published, mostAdded, search) || published.some(asPart);
}

/**
 * Whether a set differs from a union by 1 to 4. At least one of the remaining parts covers its share of what is
 * left, so that smaller ones are skipped.
 * @param left members of the whole that no part covers so far
 * @param outside members of the parts that are not in the whole
 * @param most parts that may still be chosen
 */
function isNearlyCovered(
  whole: ReadonlySet<string>,
  left: ReadonlySet<string>,
  outside: ReadonlySet<string>,
  parts: readonly ReadonlySet<string>[],
  most: number,
  search: { left: number },
): boolean {
  const different = left.size + outside.size;
  if (different <= mostDifferent) return different > 0;
  if (most === 0 || outside.size > mostDifferent) return false;
  return parts.some((part) => {
    search.left -= Math.min(left.size, part.size);
    if (search.left < 0) return true;
    const covered = left.intersection(part).size;
    if (part === whole || covered === 0 || covered * most < left.size - mostDifferent) return false;
    const beside = outside.union(part.difference(whole));
    return isNearlyCovered(whole, left.difference(part), beside, parts, most - 1, search);
  });
}
