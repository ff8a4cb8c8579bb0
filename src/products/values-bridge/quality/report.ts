// The block as it is returned: rounded, after all comparisons.
import { roundingTo } from "../scoring/exact.ts";
import type {
  GapError,
  PooledVariance,
  Quality,
  ResponseQuality,
  ScoreError,
  SessionError,
  Stability,
  TotalGapError,
  Variances,
} from "./quality.ts";

const round2 = roundingTo(2);
const round4 = roundingTo(4);

/** Two decimals, half away from zero: points, errors, seconds. Null stays null. */
export function toTwo<T extends number | null>(value: T): T | number {
  return value === null ? value : round2(value);
}

/** Four decimals: indices and variances. Null stays null. */
export function toFour<T extends number | null>(value: T): T | number {
  return value === null ? value : round4(value);
}

/** The block with every number rounded. */
export function toReported(quality: Quality): Quality {
  return { ...quality, response: reportResponse(quality.response), error: quality.error && reportError(quality.error) };
}

/** Response quality with every number rounded. */
export function reportResponse({ grade, flags, ...indices }: ResponseQuality): ResponseQuality {
  return {
    grade,
    flags,
    longestRun: indices.longestRun,
    spread: toFour(indices.spread),
    opposites: toFour(indices.opposites),
    consistency: toFour(indices.consistency),
    consistencyIdeal: toFour(indices.consistencyIdeal),
    consistencyCurrent: toFour(indices.consistencyCurrent),
    secondsPerAnswer: toTwo(indices.secondsPerAnswer),
    agreementIdeal: toFour(indices.agreementIdeal),
    agreementCurrent: toFour(indices.agreementCurrent),
    agreementShift: toTwo(indices.agreementShift),
    extremes: toFour(indices.extremes),
    midpoint: toFour(indices.midpoint),
  };
}

function reportError({ basis, variance, values, totalGap, stability }: SessionError): SessionError {
  return {
    basis,
    variance: reportVariances(variance),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: ideal && reportScore(ideal),
      current: current && reportScore(current),
      gap: gap && reportGap(gap),
    })),
    totalGap: totalGap && reportTotalGap(totalGap),
    stability: stability && reportStability(stability),
  };
}

/** Variances, rounded. */
export function reportVariances({ ideal, current, gap }: Variances): Variances {
  const report = ({ df, variance }: PooledVariance) => ({ df, variance: toFour(variance) });
  return { ideal: report(ideal), current: report(current), gap: report(gap) };
}

function reportScore(error: ScoreError): ScoreError {
  const { score, centred, standardError, interval } = error;
  return {
    ...error,
    score: toTwo(score),
    centred: toTwo(centred),
    standardError: toTwo(standardError),
    interval: interval && [toTwo(interval[0]), toTwo(interval[1])],
  };
}

function reportGap(gap: GapError): GapError {
  return { ...gap, standardError: toTwo(gap.standardError) };
}

function reportTotalGap(totalGap: TotalGapError): TotalGapError {
  return { ...totalGap, noise: toTwo(totalGap.noise), noiseSd: toTwo(totalGap.noiseSd) };
}

function reportStability(stability: Stability): Stability {
  return {
    ...stability,
    seTotalGap: toTwo(stability.seTotalGap),
    seHarmony: toTwo(stability.seHarmony),
    seConflict: toTwo(stability.seConflict),
    seFocus: toTwo(stability.seFocus),
  };
}
