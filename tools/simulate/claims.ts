// What a report claims about its reader, so that two reports on one person can be held against each other.
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import type { Quality } from "../../src/products/values-bridge/quality/quality.ts";
import { listHeadlineValues } from "../../src/products/values-bridge/report/headline.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";

/** The kinds of sentences that can be wrong about a person. */
export const claimKinds = [
  "headline",
  "leading",
  "high",
  "highlight",
  "inSummary",
  "named",
  "archetype",
  "between",
  "pair",
  "others",
] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** One claim, and whether another report on the same person says it again: in the same words, or in weaker ones. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly isRepeatedBy: (other: ReportModel, quality: Quality) => { readonly same: boolean; readonly weaker: boolean };
}

/** The values that a report says are wanted most, and those close behind. */
function wantedIn({ mostWanted }: ReportModel) {
  const entries = mostWanted?.entries ?? [];
  return {
    leading: new Set(entries.filter(({ leading }) => leading).map(({ valueId }) => valueId)),
    high: new Set(entries.map(({ valueId }) => valueId)),
    close: new Set(mostWanted?.closeBehind?.valueIds ?? []),
  };
}

function namesIn({ summary: { archetype } }: ReportModel): readonly number[] {
  if (archetype === null || archetype.name === null) return [];
  return archetype.between.length === 0
    ? [archetype.archetypeId]
    : archetype.between.map(({ archetypeId }) => archetypeId);
}

function pairsIn({ pairs }: ReportModel): readonly number[] {
  return (pairs?.kinds ?? []).flatMap((kind) => kind.pairs.map(({ valuePairingId }) => valuePairingId));
}

/** Every claim of a report. @param definition by which it was made */
export function collectClaims(report: ReportModel, { pairings }: Definition): Claim[] {
  const valuesOfPair = (pairingId: number) => pairings.find(({ id }) => id === pairingId)?.values ?? [];
  const { leading, high } = wantedIn(report);
  const claims: Claim[] = listHeadlineValues(report).map(({ valueId: id }) => ({
    kind: "headline",
    isRepeatedBy(other) {
      const { high: also, close } = wantedIn(other);
      const same = listHeadlineValues(other).some(({ valueId }) => valueId === id);
      return { same, weaker: same || also.has(id) || close.has(id) };
    },
  }));
  for (const { group, valueIds } of report.summary.highlights) {
    for (const id of valueIds) {
      claims.push({
        kind: "highlight",
        isRepeatedBy({ summary, values }) {
          const reportValue = values.find(({ valueId }) => valueId === id);
          const isSameWay = (reportValue?.gap?.steps ?? 0) > 0 === (group === "wantMore");
          return {
            same: summary.highlights.some((each) => each.group === group && each.valueIds.includes(id)),
            weaker: isSameWay && (reportValue?.difference ?? null) !== null,
          };
        },
      });
    }
  }
  for (const id of high) {
    const isLeading = leading.has(id);
    claims.push({
      kind: isLeading ? "leading" : "high",
      isRepeatedBy(other) {
        const wantedValues = wantedIn(other);
        return isLeading
          ? { same: wantedValues.leading.has(id), weaker: wantedValues.high.has(id) }
          : { same: wantedValues.high.has(id), weaker: wantedValues.high.has(id) || wantedValues.close.has(id) };
      },
    });
  }
  for (const { valueId, gap } of report.values) {
    if (gap?.named !== true) continue;
    const way = Math.sign(gap.steps);
    claims.push({
      kind: gap.inSummary ? "inSummary" : "named",
      isRepeatedBy({ values }) {
        const reportValue = values.find((value) => value.valueId === valueId);
        const isSameWay =
          reportValue?.gap !== undefined && reportValue.gap !== null && Math.sign(reportValue.gap.steps) === way;
        return {
          same: isSameWay && (gap.inSummary ? reportValue.gap.inSummary : reportValue.gap.named),
          weaker: isSameWay && reportValue.difference !== null,
        };
      },
    });
  }
  const names = namesIn(report);
  if (names.length > 0) {
    const isOne = names.length === 1;
    claims.push({
      kind: isOne ? "archetype" : "between",
      isRepeatedBy(other) {
        const archetypeIds = namesIn(other);
        // To lie between some archetypes is to have one of them whenever one answers; its words could not be weaker.
        const has = other.summary.archetype?.archetypeId ?? 0;
        return {
          same: archetypeIds.length === names.length && archetypeIds.every((id) => names.includes(id)),
          weaker: isOne ? archetypeIds.some((id) => names.includes(id)) : names.includes(has),
        };
      },
    });
  }
  for (const id of pairsIn(report)) {
    claims.push({
      kind: "pair",
      isRepeatedBy(other) {
        const { high: also, close } = wantedIn(other);
        const same = pairsIn(other).includes(id);
        return { same, weaker: same || valuesOfPair(id).every((valueId) => also.has(valueId) || close.has(valueId)) };
      },
    });
  }
  for (const { valueId, place } of report.others?.entries ?? []) {
    const isBeyond = (percentile = 50) => (place > 50 ? percentile > 75 : percentile < 25);
    claims.push({
      kind: "others",
      isRepeatedBy(other, { norms }) {
        const otherEntry = other.others?.entries.find((entry) => entry.valueId === valueId);
        const standing = norms?.values.find((value) => value.valueId === valueId)?.ideal;
        return { same: isBeyond(otherEntry?.place), weaker: isBeyond(standing?.percentile) };
      },
    });
  }
  return claims;
}
