// How much of it: everything, or the short run of continuous integration.
export const isShort = process.env.TEST_EXTENT === "short";

/** The full number, or that of a short run: of rounds, calls or milliseconds. */
export function rounds(full: number, short: number): number {
  return isShort ? short : full;
}
