// Exact noise: the discrete Gaussian of Canonne, Kamath and Steinke 2020 ("The Discrete Gaussian for Differential
// Privacy"), by their algorithms 1 to 3. Whole numbers only: rounding of doubles leaks individuals (Mironov 2012).

/** Returns `count` random bytes. */
export type ByteSource = (count: number) => Uint8Array;

/** How many bytes are taken from the source at once. */
const chunk = 4096;

/** Random whole numbers, made of the bytes of a source one after the other. */
export class RandomNumbers {
  readonly #source: ByteSource;
  #bytes: Uint8Array = new Uint8Array();
  #next = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Uniform from 0 to `bound - 1`. @param bound 1 to 2^40 */
  below(bound: number): number {
    let all = 1;
    while (all < bound) all *= 256;
    // Values beyond the last whole multiple of the bound are rejected: they would favour some remainders.
    const whole = all - (all % bound);
    for (;;) {
      let drawn = 0;
      for (let left = all; left > 1; left /= 256) drawn = 256 * drawn + this.#byte();
      if (drawn < whole) return drawn % bound;
    }
  }

  /** The same for any bound. */
  belowLarge(bound: bigint): bigint {
    let all = 1n;
    while (all < bound) all <<= 8n;
    const whole = all - (all % bound);
    for (;;) {
      let drawn = 0n;
      for (let left = all; left > 1n; left >>= 8n) drawn = (drawn << 8n) | BigInt(this.#byte());
      if (drawn < whole) return drawn % bound;
    }
  }

  #byte(): number {
    if (this.#next === this.#bytes.length) {
      this.#bytes = this.#source(chunk);
      this.#next = 0;
    }
    const byte = this.#bytes[this.#next] ?? 0;
    this.#next += 1;
    return byte;
  }
}

/**
 * A whole number z with a probability proportional to `exp(-z² / (2 variance))`.
 * @param variance a whole number, 1 to 2^40
 */
export function discreteGaussian(random: RandomNumbers, variance: number): number {
  const scale = Math.floor(Math.sqrt(variance)) + 1;
  for (;;) {
    const drawn = discreteLaplace(random, scale);
    const distance = BigInt(Math.abs(drawn)) * BigInt(scale) - BigInt(variance);
    if (isExp(random, distance * distance, 2n * BigInt(variance) * BigInt(scale * scale))) return drawn;
  }
}

/** A whole number z with a probability proportional to `exp(-|z| / scale)`. */
function discreteLaplace(random: RandomNumbers, scale: number): number {
  for (;;) {
    const rest = random.below(scale);
    if (!isExpOfShare((k) => random.below(scale * k) < rest)) continue;
    let whole = 0;
    while (isExpOfShare((k) => random.below(k) < 1)) whole += 1;
    const size = rest + scale * whole;
    const isNegative = random.below(2) === 1;
    // Otherwise 0 would be drawn for both signs.
    if (!isNegative || size > 0) return isNegative ? -size : size;
  }
}

/** True with the probability `exp(-numerator / denominator)`. @param numerator 0 or more */
function isExp(random: RandomNumbers, numerator: bigint, denominator: bigint): boolean {
  let left = numerator;
  for (; left > denominator; left -= denominator) {
    if (!isExpOfShare((k) => random.below(k) < 1)) return false;
  }
  return isExpOfShare((k) => random.belowLarge(denominator * BigInt(k)) < left);
}

/**
 * True with the probability `exp(-share)` for a share of at most 1.
 * @param draw true with the probability `share / k`; the first k of 1, 2, 3 ... for which it is not is odd so often
 */
function isExpOfShare(draw: (k: number) => boolean): boolean {
  for (let k = 1; ; k += 1) if (!draw(k)) return k % 2 === 1;
}
