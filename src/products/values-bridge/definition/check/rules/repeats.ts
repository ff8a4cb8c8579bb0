// Finding what should be unique.

/** For each key that an earlier one equals: its index, and that of the first such. Undefined equals nothing. */
export function repeats(
  keys: readonly (string | number | undefined)[],
): { readonly index: number; readonly first: number }[] {
  const firsts = new Map<string | number, number>();
  return keys.flatMap((key, index) => {
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}
