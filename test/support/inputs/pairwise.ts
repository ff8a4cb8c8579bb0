// Few combinations of many values: every value of a dimension meets every value of every other one.

/** Values by dimension. */
type Dimensions = Readonly<Record<string, readonly string[]>>;

export type Combination<D extends Dimensions> = { readonly [Name in keyof D]: D[Name][number] };

/** Combinations in which each pair of values of two dimensions comes at least once. Each dimension has a value. */
export function pairwise<D extends Dimensions>(dimensions: D): Combination<D>[] {
  const names = Object.keys(dimensions);
  const missing = new Set<string>();
  const pairOf = (a: string, x: string, b: string, y: string) => [`${a}=${x}`, `${b}=${y}`].sort().join(" ");
  for (const [index, a] of names.entries()) {
    for (const b of names.slice(index + 1)) {
      for (const x of dimensions[a] ?? []) for (const y of dimensions[b] ?? []) missing.add(pairOf(a, x, b, y));
    }
  }
  const combinations: Combination<D>[] = [];
  // The largest dimensions first: the others have the choice.
  const order = names.toSorted((a, b) => (dimensions[b]?.length ?? 0) - (dimensions[a]?.length ?? 0));
  while (missing.size > 0) {
    const choices = new Map<string, string>();
    const gainOf = (name: string, value: string) =>
      [...choices].filter(([other, its]) => missing.has(pairOf(name, value, other, its))).length;
    const needOf = (name: string, value: string) =>
      [...missing].filter((pair) => ` ${pair} `.includes(` ${name}=${value} `)).length;
    for (const name of order) {
      const candidates = (dimensions[name] ?? []).map((value) => ({
        value,
        gain: gainOf(name, value),
        need: needOf(name, value),
      }));
      const [best] = candidates.toSorted((one, other) => other.gain - one.gain || other.need - one.need);
      if (best === undefined) throw new RangeError(`${name} has no value`);
      choices.set(name, best.value);
    }
    for (const [a, x] of choices) for (const [b, y] of choices) if (a !== b) missing.delete(pairOf(a, x, b, y));
    combinations.push(Object.fromEntries(names.map((name) => [name, choices.get(name)])) as Combination<D>);
  }
  return combinations;
}
