// The archetype of a report: one if the answers are clear enough, else the two or four that fit.
import type { ArchetypeDefinition, Definition } from "../../definition/definition.ts";
import type { ReportArchetype, ReportArchetypeMeaning } from "../report-model.ts";
import written from "../words/openings.json" with { type: "json" };
import { collectFacts, type Facts, type FactsInput } from "./facts.ts";
import { listStrongPairs } from "./pairs.ts";
import type { ReportWriter } from "./writer.ts";

/** Texts by language, then by the English names of archetypes in the shipped definition. */
const openings: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(Object.entries(written));

/** The archetypes that fit answers within their error. */
export interface ArchetypeFit {
  /** True if only one fits. */
  readonly certain: boolean;
  /** The two or four that fit, that of the results first. Empty: one is certain, or none fits. */
  readonly between: readonly number[];
}

/** The fit of archetypes that a report shows. @throws RangeError if answers and definition do not belong together */
export function fitArchetype(input: FactsInput): ArchetypeFit {
  const fitting = findArchetypes(input.definition.archetypes, collectFacts(input));
  return { certain: fitting.length === 1, between: fitting.length === 1 ? [] : fitting.map(({ id }) => id) };
}

/** The archetype of the results, and others that fit as well. None: answers distinguish no values, or it is unresolved. */
function findArchetypes(archetypes: readonly ArchetypeDefinition[], facts: Facts): readonly ArchetypeDefinition[] {
  const { archetypeId } = facts.explanation.archetype;
  const best = archetypes.find(({ id }) => id === archetypeId);
  return facts.noDifferencesReason !== null || best === undefined
    ? []
    : [best, ...findNeighbours(best, archetypes, facts)];
}

/** The archetype; null if the answers distinguish no values. An unresolved one has no name, and its text says why. */
export function writeArchetype(writer: ReportWriter): ReportArchetype | null {
  const { facts, input, tag, texts, say, getArchetypeTexts } = writer;
  if (facts.noDifferencesReason !== null) return null;
  const { archetypeId } = facts.explanation.archetype;
  const toWorded = (text: string) => ({ text, language: tag });
  const between = findArchetypes(input.definition.archetypes, facts);
  const [best, other] = between;
  if (best === undefined)
    return { archetypeId, name: null, summary: toWorded(texts.archetypeOpen), between: [], notes: [] };
  const archetypeTexts = getArchetypeTexts(archetypeId);
  if (other === undefined) {
    const direction = best.direction === "focused" ? texts.archetypeFocused : texts.archetypePlural;
    return { archetypeId, ...archetypeTexts, between: [], notes: [`${writeDistance(writer)} ${direction}`] };
  }
  const names = { one: archetypeTexts.name.text, other: getArchetypeTexts(other.id).name.text };
  const twoNote = other.direction === best.direction ? texts.betweenDistances : texts.betweenDirections;
  const [name, note, namesNote] =
    between.length === 2
      ? [say(texts.between, names), twoNote, texts.betweenNames]
      : [texts.betweenFour, texts.betweenBoth, texts.betweenFourNames];
  return {
    archetypeId,
    name: toWorded(name),
    summary: toWorded(findOpening(between, input.definition, tag) ?? note),
    between: between.map((each) => writeMeaning(writer, each)),
    notes: [`${writeDistance(writer)} ${note}`, namesNote],
  };
}

/** The text about people between these archetypes; null for archetypes of another definition than the shipped one. */
function findOpening(
  between: readonly ArchetypeDefinition[],
  { archetypes }: Definition,
  language: string,
): string | null {
  const names = archetypes.filter((each) => between.includes(each)).map(({ name }) => name);
  return openings.get(language)?.[names.join(", ")] ?? null;
}

/** Other archetypes that fit as well: none, one if the direction or the distance is uncertain, three if both are. */
function findNeighbours(
  best: ArchetypeDefinition,
  archetypes: readonly ArchetypeDefinition[],
  facts: Facts,
): readonly ArchetypeDefinition[] {
  const band = findNextBand(best, archetypes, facts);
  const bands = band === null ? [] : [band];
  if (!isDirectionUncertain(best, facts)) return bands;
  const findOtherDirection = ({ gapFrom }: ArchetypeDefinition) =>
    archetypes.filter((each) => each.gapFrom === gapFrom && each.direction !== best.direction);
  const all = [...findOtherDirection(best), ...bands, ...bands.flatMap(findOtherDirection)];
  // Bands of a definition may differ between the directions.
  return all.length === 3 ? all : all.slice(0, 1);
}

/** True if the focus is within its error of the threshold, or strong opposites contradict a single direction. */
function isDirectionUncertain(best: ArchetypeDefinition, facts: Facts): boolean {
  const { explanation, quality } = facts;
  if ((quality?.error ?? null) === null) return false;
  const { archetype, constants } = explanation;
  const { seFocus = null } = quality?.error?.stability ?? {};
  const hasOpposites = best.direction === "focused" && listStrongPairs(facts, "conflict").length > 0;
  return hasOpposites || seFocus === null || Math.abs((archetype.focus ?? 0) - constants.focusThreshold) <= seFocus;
}

/**
 * The next archetype of the same direction that also fits: the total gap is within its error of the border, or not above noise,
 * or the named differences contradict the best archetype.
 */
function findNextBand(
  best: ArchetypeDefinition,
  archetypes: readonly ArchetypeDefinition[],
  facts: Facts,
): ArchetypeDefinition | null {
  const { explanation, quality } = facts;
  const sameDirection = archetypes
    .filter(({ direction }) => direction === best.direction)
    .sort((one, other) => one.gapFrom - other.gapFrom);
  const place = sameDirection.indexOf(best);
  const [below = null, above = null] = [sameDirection[place - 1], sameDirection[place + 1]];
  const error = quality?.error ?? null;
  if (below !== null && error !== null && error.totalGap?.aboveNoise !== true) return below;
  if (contradictsBand(place, facts)) return above;
  if (error === null) return null;
  const total = explanation.totalGap?.total ?? 0;
  const reach = error.stability?.seTotalGap ?? 0;
  if (below !== null && total - best.gapFrom <= reach) return below;
  return best.gapBelow !== null && best.gapBelow - total <= reach ? above : null;
}

/** True if named differences contradict the words of the lowest two bands: any difference, or a large one. */
function contradictsBand(band: number, { values }: Facts): boolean {
  return values.some(({ gap }) => (band === 0 && gap?.named) || (band === 1 && gap?.inSummary));
}

/** The distance between the lives, and the one expected by chance. */
function writeDistance({
  facts: { explanation, quality },
  texts,
  say,
  toSteps,
  formatStepCount,
}: ReportWriter): string {
  const writeSteps = (text: string, points: number) => say(text, { steps: formatStepCount(toSteps(points)) });
  const apart = writeSteps(texts.apart, explanation.totalGap?.total ?? 0);
  const noise = quality?.error?.totalGap?.noise;
  return noise === undefined ? apart : `${apart} ${writeSteps(texts.apartByChance, noise)}`;
}

/** The two conditions of an archetype. */
function writeMeaning(writer: ReportWriter, archetype: ArchetypeDefinition): ReportArchetypeMeaning {
  const { texts, say, toSteps, formatSteps, formatStepCount, getArchetypeTexts } = writer;
  const { id, gapFrom, gapBelow, direction } = archetype;
  const [from, below] = [toSteps(gapFrom), toSteps(gapBelow ?? 0)];
  const range =
    gapBelow === null
      ? say(texts.meaningFrom, { from: formatStepCount(from) })
      : gapFrom === 0
        ? say(texts.meaningBelow, { below: formatStepCount(below) })
        : say(texts.meaningWithin, { from: formatSteps(from), below: formatStepCount(below) });
  const way = direction === "focused" ? texts.meaningFocused : texts.meaningPlural;
  return { archetypeId: id, name: getArchetypeTexts(id).name, text: `${range} ${way}` };
}
