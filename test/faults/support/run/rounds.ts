// How much of it: everything, or the short form that continuous integration runs.
export const isShort = process.env.TEST_EXTENT === "short";

/** The full number, or that of the short form: of rounds, calls or milliseconds. */
export function rounds(full: number, short: number): number {
  return isShort ? short : full;
}
