// Finding what should be unique.
import { type DefinitionFault, type FaultCode, fold } from "../faults.ts";

/** An entry and the earlier one that it repeats. */
export interface Repeat<T> {
  readonly entry: T;
  readonly first: T;
}

/** Every entry whose key an earlier one has, with the first such; entries without a key (undefined) are left out. */
export function repeats<T>(entries: readonly T[], keyOf: (entry: T) => string | number | undefined): Repeat<T>[] {
  const firsts = new Map<string | number, T>();
  const repetitions: Repeat<T>[] = [];
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, entry);
    else repetitions.push({ entry, first });
  }
  return repetitions;
}

/** A fault for each number or text, as it looks, that an earlier entry has as the same member. */
export function duplicates<
  Name extends string,
  T extends { readonly pointer: string } & Partial<Record<Name, unknown>>,
>(entries: readonly T[], member: Name, code: FaultCode, message: (entry: T, first: T) => string): DefinitionFault[] {
  const keyOf = ({ [member]: key }: T) =>
    typeof key === "string" ? fold(key) : typeof key === "number" ? key : undefined;
  return repeats(entries, keyOf).map(({ entry, first }) => ({
    pointer: `${entry.pointer}/${member}`,
    code,
    message: message(entry, first),
  }));
}
