// How much of it: everything, or the short form that continuous integration runs.
import { means } from "./means.ts";

export const isShort = means("FAULTS") === "short";

/** The full number, or that of the short form: of rounds, calls or milliseconds. */
export function rounds(full: number, short: number): number {
  return isShort ? short : full;
}
