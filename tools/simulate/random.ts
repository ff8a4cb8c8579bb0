// Random numbers that a seed repeats.

export interface Random {
  /** 0 to below 1. */
  uniform(): number;
  /** Normal, with mean 0 and this standard deviation. */
  normal(sd: number): number;
  /** A whole number from `low` to `high`, each as likely. */
  whole(low: number, high: number): number;
}

/** A generator that gives the same numbers for the same seed: sfc32 by Chris Doty-Humphrey (PractRand). */
export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 15; round += 1) next();
  return {
    uniform: next,
    normal(sd) {
      // Box and Muller 1958; 1 - u is never 0.
      return sd * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    },
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
  };
}
