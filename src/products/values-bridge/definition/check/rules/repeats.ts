// Finding what should be unique.
import { quote, type Report } from "../faults.ts";

/** Texts that look the same have the same folded form: case, kind of space and letter form are ignored. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ");
}

/**
 * Calls back for every entry whose key an earlier one has, with the first such. Texts are compared folded; entries without a
 * key (undefined) are left out.
 */
export function forRepeats<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string | number | undefined,
  callback: (entry: T, first: T) => void,
): void {
  const firsts = new Map<string | number, T>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const foldedText = typeof key === "string" ? fold(key) : key;
    const first = firsts.get(foldedText);
    if (first === undefined) firsts.set(foldedText, entry);
    else callback(entry, first);
  }
}

interface Entry {
  readonly pointer: string;
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

/** Entries have ids of their own. @param kind `A pairing` */
export function checkIds(entries: readonly Entry[], kind: string, report: Report): void {
  forRepeats(
    entries,
    ({ id }) => id,
    ({ pointer, id }) => report(`${pointer}/id`, "duplicate_id", `${kind} before this one has the id ${id} too`),
  );
}

/** Entries, or translations of them, have names of their own. @param kind `A value` */
export function checkNames(entries: readonly Entry[], kind: string, report: Report): void {
  forRepeats(
    entries,
    ({ name }) => name,
    ({ pointer, name = "" }) =>
      report(`${pointer}/name`, "duplicate_name", `${kind} before this one is named ${quote(name)} too`),
  );
}
