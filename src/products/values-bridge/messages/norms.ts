// Norms as messages. Null means "nothing to say" in the domain; in a message that is an absent field, and an empty list
// for a pair of numbers.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DistributionSchema,
  MeasureNormsSchema,
  NormsSchema,
  PooledReleaseSchema,
  RetestNormsSchema,
  TotalNormsSchema,
} from "../../../gen/assessment/v1/norm_service_pb.ts";
import { SampleKind } from "../../../gen/assessment/v1/norm_service_pb.ts";
import type { MeasureNumbers, NormNumbers, RetestNumbers, TotalNumbers } from "../norms/numbers.ts";
import type { PooledNumbers } from "../norms/pool/pooled-numbers.ts";
import type { Distribution } from "../norms/statistics/distribution.ts";

/** What numbers were computed from. */
export interface NormSource {
  /** In RFC 3339. */
  readonly released: string;
  readonly n: number;
  readonly provisional: boolean;
}

/** What a release of all partners is. */
export interface PoolSource {
  /** In RFC 3339. */
  readonly released: string;
  readonly number: number;
}

/** Norms of all partners. */
export function toPooledMessage(
  source: PoolSource,
  { n, values, totalGap, harmony, conflict }: PooledNumbers,
): MessageInitShape<typeof PooledReleaseSchema> {
  return {
    ...source,
    n,
    sample: SampleKind.CONVENIENCE,
    values: values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: toDistribution(ideal),
      current: toDistribution(current),
      gap: toDistribution(gap),
    })),
    totalGap: toDistribution(totalGap),
    harmony: toDistribution(harmony),
    conflict: toDistribution(conflict),
  };
}

/** Norms of sessions. */
export function toNormsMessage(source: NormSource, numbers: NormNumbers): MessageInitShape<typeof NormsSchema> {
  return {
    ...source,
    sample: { kind: SampleKind.CONVENIENCE, ...numbers.sample },
    values: numbers.values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: toMeasure(ideal),
      current: toMeasure(current),
      gap: toMeasure(gap),
    })),
    totalGap: toTotal(numbers.totalGap),
    harmony: toTotal(numbers.harmony),
    conflict: toTotal(numbers.conflict),
  };
}

/** Norms of pairs of sessions. */
export function toRetestMessage(
  source: NormSource,
  { values }: RetestNumbers,
): MessageInitShape<typeof RetestNormsSchema> {
  return { ...source, values: [...values] };
}

function toMeasure(numbers: MeasureNumbers): MessageInitShape<typeof MeasureNormsSchema> {
  return {
    mean: numbers.mean,
    sd: numbers.sd,
    alpha: numbers.alpha ?? undefined,
    alphaInterval: numbers.alphaInterval === null ? [] : [...numbers.alphaInterval],
    lambda2: numbers.lambda2 ?? undefined,
    omega: numbers.omega ?? undefined,
    standardError: numbers.standardError ?? undefined,
    statements: numbers.statements.map(({ questionId, mean, sd, itemRest, alphaIfDropped }) => ({
      questionId,
      mean,
      sd,
      itemRest: itemRest ?? undefined,
      alphaIfDropped: alphaIfDropped ?? undefined,
    })),
    percentiles: [...numbers.percentiles],
    centred: numbers.centred === null ? undefined : toDistribution(numbers.centred),
  };
}

function toDistribution(distribution: Distribution): MessageInitShape<typeof DistributionSchema> {
  return {
    ...distribution,
    percentiles: [...distribution.percentiles],
    halfWidths: [...distribution.halfWidths],
  };
}

function toTotal(numbers: TotalNumbers | null): MessageInitShape<typeof TotalNormsSchema> | undefined {
  return numbers === null ? undefined : { ...numbers, percentiles: [...numbers.percentiles] };
}
