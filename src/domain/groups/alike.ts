// Whether numbers of a group would tell of a few people, beside the numbers that its partner has already.

/** Numbers of 1 to so many people are told nowhere, and follow from no difference of numbers. */
export const mostDifferent = 4;
/** Groups whose numbers are added up, at most. */
const mostAdded = 3;
/** Members that a search looks at, about a tenth of a second. Past it a group counts as too alike. */
const mostLookedAt = 3_000_000;

/** Whether they are too few to be told of, and not nobody. */
export function isFew(people: number): boolean {
  return people > 0 && people <= mostDifferent;
}

/**
 * Whether a group and the union of up to three others, or one of these and a union with the group in it, differ by 1 to 4
 * members. Who is in both of two sets is named alike in them.
 * @param told those whose numbers are known
 */
export function isTooAlike(group: ReadonlySet<string>, told: readonly ReadonlySet<string>[]): boolean {
  const search = { left: mostLookedAt };
  const asPart = (whole: ReadonlySet<string>) =>
    isNearlyCovered(whole, whole.difference(group), group.difference(whole), told, mostAdded - 1, search);
  return isNearlyCovered(group, group, new Set(), told, mostAdded, search) || told.some(asPart);
}

/**
 * Whether a set differs from a union by 1 to 4. Of the parts that are still to come, one at least has its share of what is
 * left, so the largest one comes next.
 * @param left of the whole, in no part so far
 * @param outside members of the parts who are not in the whole
 * @param most parts that may still come
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
