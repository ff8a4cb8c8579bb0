// Quantiles of the F distribution. The libraries that have them bring 220 packages, or miss the ninth digit; a test
// holds this to R.

/**
 * The quantile of F with `df1` and `df2` degrees of freedom, by bisection of its distribution function. Relative error
 * below 1e-10 for the probabilities and degrees of freedom of norms.
 * @param probability above 0 and below 1
 */
export function fQuantile(probability: number, df1: number, df2: number): number {
  // The share x = df1 F / (df1 F + df2) has a beta distribution.
  let [low, high] = [0, 1];
  for (let step = 0; step < 200 && high - low > 1e-16 * high; step += 1) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, df1 / 2, df2 / 2) < probability) low = middle;
    else high = middle;
  }
  const x = (low + high) / 2;
  return (df2 * x) / (df1 * (1 - x));
}

/** The regularised incomplete beta function, by its continued fraction (NIST DLMF 8.17.22, Lentz's method). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  const tiny = 1e-300;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let c = 1;
  let fraction = d;
  for (let m = 1; m < 100_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return front * fraction;
}

function nonZero(value: number, tiny: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** `log B(a, b)`; the large parts of the three gamma functions are taken apart, so that nothing cancels. */
function logBeta(a: number, b: number): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  const correction = stirling(small) + stirling(large) - stirling(small + large);
  return (
    0.5 * Math.log((2 * Math.PI) / small) +
    0.5 * Math.log1p(small / large) +
    small * Math.log(small / (small + large)) -
    large * Math.log1p(small / large) +
    correction
  );
}

/** `log gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)`, by its series (DLMF 5.11.1), from 15 on. */
function stirling(x: number): number {
  if (x < 15) {
    // gamma(x + 1) = x gamma(x)
    const next = stirling(x + 1);
    return next + (x + 0.5) * Math.log1p(1 / x) - 1;
  }
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / x;
}
