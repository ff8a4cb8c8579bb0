// Finding what should be unique.

/** An entry and the earlier one that it repeats. */
export interface Repeat<T> {
  readonly entry: T;
  readonly first: T;
}

/** Every entry whose key an earlier one has, with the first such; entries without a key (undefined) are left out. */
export function repeats<T>(entries: readonly T[], keyOf: (entry: T) => string | number | undefined): Repeat<T>[] {
  const firsts = new Map<string | number, T>();
  const found: Repeat<T>[] = [];
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, entry);
    else found.push({ entry, first });
  }
  return found;
}
