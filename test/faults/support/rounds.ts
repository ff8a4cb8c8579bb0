// How much of it: everything, or the short form that continuous integration runs.

export const isShort = process.env.FAULTS === "short";

/** The number of rounds of a fault. */
export function rounds(full: number, short: number): number {
  return isShort ? short : full;
}
