// A release of norms of all partners: weighted counts with noise that hides each person (docs/trust.md has the proof). The
// noise is the discrete Gaussian of Canonne, Kamath and Steinke 2020 ("The Discrete Gaussian for Differential Privacy"),
// algorithms 1 to 3. All numbers are whole: rounding of doubles leaks individuals (Mironov 2012).
import { minCells, z95 } from "../../quality/statistics.ts";
import type { NormLayout } from "../layout.ts";
import { listBins, maxBins } from "./histograms.ts";

/** A partner with more people is weighted down to this number. */
const maxPeople = 1000;
/** Units for each person, so that weighted counts are whole numbers too. */
export const unit = 1024;
/** A release spends a privacy budget of 1/8 (rho, zero-concentrated differential privacy). */
const releasesPerBudget = 8;
/** Releases of one version and language; together they spend 1. */
export const maxReleases = 8;
/** Widest half of the interval at the median of norms that are released, in percentile points. */
const maxHalfWidthAtMedian = 5;

/**
 * The variance of the noise on each count, in squared units: `unit² × histograms / rho`. One person moves each histogram
 * by at most `sqrt(2) unit`.
 */
export function computeNoiseVariance(histograms: number): number {
  return unit * unit * histograms * releasesPerBudget;
}

/** Weighted counts of one partner's people in each bin, in units. One person changes a count by at most one unit. */
export function weightCounts(histograms: readonly (readonly number[])[], people: number): number[][] {
  if (people <= maxPeople) return histograms.map((counts) => counts.map((count) => unit * count));
  // Rounded half up, in whole numbers below 2^53.
  const weighted = (count: number) => Math.floor((2 * count * unit * maxPeople + people) / (2 * people));
  return histograms.map((counts) => counts.map(weighted));
}

/** Half of the width of the 95 % interval of a percentile rank, from sampling and noise, in percentile points. */
export function computePooledHalfWidth(rank: number, people: number, noise: number): number {
  const p = rank / 100;
  return 100 * z95 * Math.sqrt((p * (1 - p)) / people + noise / people ** 2);
}

/** The counts of one partner's people. */
export interface PartnerCounts {
  readonly people: number;
  /** Of each histogram, the people in each bin. */
  readonly histograms: readonly (readonly number[])[];
}

/** The counts of all partners that take part. */
export class NormPool {
  readonly #layout: NormLayout;
  #total: number[][];
  #people = 0;

  constructor(layout: NormLayout) {
    this.#layout = layout;
    this.#total = listBins(layout).map(({ count }) => Array<number>(count).fill(0));
  }

  /** Number of people, by the weights of their partners. */
  get people(): number {
    return this.#people;
  }

  /** Adds the people of one partner. */
  add({ people, histograms }: PartnerCounts): void {
    this.#people += Math.min(people, maxPeople);
    const counts = weightCounts(histograms, people);
    this.#total = this.#total.map((row, i) => row.map((count, j) => count + (counts[i]?.[j] ?? 0)));
  }

  /** True if a release would be precise enough. Depends only on numbers of people, so it reveals no answers. */
  hasEnoughPeople(): boolean {
    if (this.#layout.values.length < minCells) return false;
    const noise = (computeNoiseVariance(this.#total.length) / unit ** 2) * (maxBins / 4);
    return computePooledHalfWidth(50, this.#people, noise) <= maxHalfWidthAtMedian;
  }

  /** The counts with noise, in units. Each published draw spends the same amount of the privacy budget again. */
  draw(bytes: ByteSource): number[][] {
    return addNoise(this.#total, bytes, computeNoiseVariance(this.#total.length));
  }
}

/** Adds noise to each count. @param variance in squared units */
export function addNoise(histograms: readonly (readonly number[])[], bytes: ByteSource, variance: number): number[][] {
  return histograms.map((counts) => counts.map((count) => count + drawDiscreteGaussian(bytes, variance)));
}

/** Returns `count` random bytes. */
export type ByteSource = (count: number) => Uint8Array;

/** A random number, uniform from 0 to `bound - 1`. @param bound 1 or more */
export function drawBelow(bytes: ByteSource, bound: bigint): bigint {
  let [all, count] = [256n, 1];
  for (; all < bound; count += 1) all <<= 8n;
  // Beyond the last whole multiple of the bound, numbers are rejected: they would favour some remainders.
  const whole = all - (all % bound);
  for (;;) {
    const number = BigInt(`0x${Buffer.from(bytes(count)).toString("hex")}`);
    if (number < whole) return number % bound;
  }
}

/**
 * A whole number z with a probability proportional to `exp(-z² / (2 variance))`.
 * @param variance a whole number, 1 to 2^40
 */
export function drawDiscreteGaussian(bytes: ByteSource, variance: number): number {
  const scale = BigInt(Math.floor(Math.sqrt(variance)) + 1);
  const squared = BigInt(variance);
  for (;;) {
    const draws = drawDiscreteLaplace(bytes, scale);
    const distance = (draws < 0n ? -draws : draws) * scale - squared;
    if (drawBernoulliExp(bytes, distance * distance, 2n * squared * scale * scale)) return Number(draws);
  }
}

/** A whole number z with a probability proportional to `exp(-|z| / scale)`. */
function drawDiscreteLaplace(bytes: ByteSource, scale: bigint): bigint {
  for (;;) {
    const remainder = drawBelow(bytes, scale);
    if (!drawBernoulliExp(bytes, remainder, scale)) continue;
    let size = remainder;
    while (drawBernoulliExp(bytes, 1n, 1n)) size += scale;
    const isNegative = drawBelow(bytes, 2n) === 1n;
    // Otherwise 0 would be drawn for both signs.
    if (!isNegative || size > 0n) return isNegative ? -size : size;
  }
}

/**
 * True with the probability `exp(-numerator / denominator)`: draws with the probability `share / k` for k = 1, 2, 3 … until one
 * is false, and the k of that one is odd with the probability wanted. A share above 1 is split.
 * @param numerator 0 or more
 */
function drawBernoulliExp(bytes: ByteSource, numerator: bigint, denominator: bigint): boolean {
  if (numerator > denominator)
    return drawBernoulliExp(bytes, 1n, 1n) && drawBernoulliExp(bytes, numerator - denominator, denominator);
  let k = 1n;
  while (drawBelow(bytes, denominator * k) < numerator) k += 1n;
  return k % 2n === 1n;
}
