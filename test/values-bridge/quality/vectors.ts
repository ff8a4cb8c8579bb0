// The worked cases of quality and error, read from test/vectors.
import { readFileSync } from "node:fs";

/** One case; what its input and its expected output hold depends on the case. */
export interface Vector<I, E> {
  readonly id: string;
  readonly about: string;
  readonly input: I;
  readonly expected: E;
}

const file = new URL("../../vectors/quality-and-error-v2.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: readonly Vector<never, never>[] };

/** The ids of all cases. */
export const vectorIds: readonly string[] = vectors.map(({ id }) => id);

/** The case with an id. */
export function vector<I, E>(id: string): Vector<I, E> {
  const match = vectors.find((each) => each.id === id);
  if (match === undefined) throw new RangeError(`no vector ${id}`);
  return match;
}

/** How far numbers may be from the nine decimals of the file. */
const tolerance = 1e-6;

/** Every place at which `actual` is not what is expected. */
export function differences(expected: unknown, actual: unknown, place = ""): string[] {
  if (typeof expected === "number" && typeof actual === "number") {
    return Math.abs(expected - actual) <= tolerance ? [] : [`${place}: ${actual} instead of ${expected}`];
  }
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null) {
    return Object.is(expected, actual) ? [] : [`${place}: ${String(actual)} instead of ${String(expected)}`];
  }
  const [wanted, found] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names].flatMap((name) => differences(wanted.get(name), found.get(name), `${place}/${name}`));
}
