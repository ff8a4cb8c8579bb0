// Whether a report contradicts itself, or says more than its errors allow.
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import type { Quality } from "../../src/products/values-bridge/quality/quality.ts";
import { listHeadlineValues, listPosterValues } from "../../src/products/values-bridge/report/headline.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { deniedSentences } from "./denials.ts";

/** What a report was made from, besides its results. */
export interface ReportGround {
  readonly definition: Definition;
  readonly quality: Quality;
}

/** A check of a whole report; what it returns is a contradiction in words, null if there is none. */
type Check = (report: ReportModel, ground: ReportGround) => string | null;

/** The archetype that a report tells without another one beside it. */
function loneArchetype({ summary: { archetype } }: ReportModel, { definition }: ReportGround) {
  if (archetype === null || archetype.name === null || archetype.between.length > 0) return undefined;
  return definition.archetypes.find(({ id }) => id === archetype.archetypeId);
}

const checks: readonly Check[] = [
  (report, ground) => {
    const isFocused = loneArchetype(report, ground)?.direction === "focused";
    const isTorn = report.pairs?.kinds.some(({ kind }) => kind === "conflict") ?? false;
    return isFocused && isTorn ? "one direction, above a pair of opposites" : null;
  },
  (report, ground) => {
    const isFar = (loneArchetype(report, ground)?.gapFrom ?? 0) > 0;
    return isFar && ground.quality.error?.totalGap?.aboveNoise !== true ? "a distance that noise makes" : null;
  },
  (report, { definition, quality }) => {
    const errors = new Map(quality.error?.values.map(({ valueId, ideal }) => [valueId, ideal]));
    const holdsAverage = (id: number) => {
      const { centred = null, standardError = null } = errors.get(id) ?? {};
      return centred === null || standardError === null || centred - 1.96 * standardError <= 0;
    };
    const namedPairs = report.pairs?.kinds.flatMap(({ pairs }) => pairs.map((pair) => pair.valuePairingId)) ?? [];
    const isWeak = definition.pairings.some(({ id, values }) => namedPairs.includes(id) && values.some(holdsAverage));
    return isWeak ? "a pair with an interval that holds the average" : null;
  },
  ({ mostWanted, values }) => {
    const worst = new Map(values.map(({ valueId, ideal }) => [valueId, ideal.rankRange?.worst ?? Infinity]));
    const isLoose = mostWanted?.entries.some(({ valueId, leading }) => leading && Number(worst.get(valueId)) > 8);
    return isLoose === true ? "a leading value that may stand below the eighth place" : null;
  },
  ({ differences, values }) => {
    // As readers see it: what has no words is smaller than what has some.
    const size = new Map(values.map(({ valueId, difference }) => [valueId, Number.parseFloat(difference ?? "0")]));
    const isMixed = differences.groups.some(({ group, valueIds }) => {
      const sizes = valueIds.map((id) => size.get(id) ?? 0);
      return group !== "unsorted" && sizes.some((each, index) => index > 0 && each > (sizes[index - 1] ?? 0));
    });
    return isMixed ? "differences out of order" : null;
  },
  ({ steps, values }) => {
    const namedValues = new Set(values.filter(({ gap }) => gap?.named).map(({ valueId }) => valueId));
    return steps?.offers.some(({ valueId }) => !namedValues.has(valueId))
      ? "a step for a difference that may be chance"
      : null;
  },
  ({ differences, values, summary }) => {
    const byId = new Map(values.map((value) => [value.valueId, value]));
    const isSkipped = differences.groups.some(({ group, valueIds: [first] }) => {
      const top = byId.get(first ?? 0);
      if ((group !== "wantMore" && group !== "liveMore") || top?.gap?.inSummary !== true) return false;
      return !summary.sentences.some((sentence) => sentence.includes(top.name.text));
    });
    return isSkipped ? "a summary without the largest difference" : null;
  },
  ({ values }) => {
    const isMiscounted = values.some(({ standing, difference }) => {
      const [idealScore, today] = (standing.match(/\d\.\d/g) ?? []).map(Number);
      if (difference === null || idealScore === undefined || today === undefined) return false;
      return Math.abs(Number.parseFloat(difference) - Math.abs(idealScore - today)) > 1e-9;
    });
    return isMiscounted ? "a difference that is not that of its averages" : null;
  },
];

/** What a report names as first, by the place that names it. */
const firsts: Readonly<Record<string, (report: ReportModel) => readonly number[]>> = {
  headline: (report) => listHeadlineValues(report).map(({ valueId }) => valueId),
  poster: (report) => listPosterValues(report).map(({ valueId }) => valueId),
  list: ({ mostWanted }) => (mostWanted?.entries ?? []).map(({ valueId }) => valueId),
  lead: ({ mostWanted }) => (mostWanted?.entries ?? []).filter(({ leading }) => leading).map(({ valueId }) => valueId),
};

/** Where a report names one of two equal values and not the other. */
export function cutTiesIn(report: ReportModel): string[] {
  const scoreOf = new Map(report.values.map(({ valueId, ideal }) => [valueId, ideal.score]));
  return Object.entries(firsts).flatMap(([place, valuesOf]) => {
    const reportValues = valuesOf(report);
    const scores = reportValues.map((id) => scoreOf.get(id));
    const isCut = [...scoreOf].some(([id, score]) => scores.includes(score) && !reportValues.includes(id));
    return isCut ? [`equal values told apart: ${place}`] : [];
  });
}

/** Every contradiction in a report that is in English. */
export function contradictionsIn(report: ReportModel, ground: ReportGround): string[] {
  const denied = deniedSentences(report).map((text) => `beside a difference that says otherwise: ${text}`);
  return [...denied, ...cutTiesIn(report), ...checks.flatMap((check) => check(report, ground) ?? [])];
}
