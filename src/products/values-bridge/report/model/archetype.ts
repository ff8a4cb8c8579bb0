// The archetype of a report: one name if the answers are clear enough, else the two or four that they lie between.
import type { ArchetypeDefinition, Definition } from "../../definition/definition.ts";
import type { ReportArchetype, ReportArchetypeMeaning } from "../report-model.ts";
import written from "../words/openings.json" with { type: "json" };
import { collectFacts, type Facts, type FactsInput, type ReportContext } from "./facts.ts";
import { listStrongPairs } from "./pairs.ts";

/** By language, then by the names of the archetypes in the definition that ships, which are in English. */
const openings: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(Object.entries(written));

/** Which archetypes answers fit within their error. */
export interface ArchetypeFit {
  /** Whether it is one alone. */
  readonly certain: boolean;
  /** The two or four that the answers lie between, the one of the results first. Empty: one is certain, or there is none. */
  readonly between: readonly number[];
}

/** What a report on the session tells of its archetype. @throws RangeError if answers and definition do not belong together */
export function fitArchetype(input: FactsInput): ArchetypeFit {
  const fitting = findArchetypes(input.definition.archetypes, collectFacts(input));
  return { certain: fitting.length === 1, between: fitting.length === 1 ? [] : fitting.map(({ id }) => id) };
}

/** The one of the results, and those that the answers fit as well. None: they distinguish no values, or allow none. */
function findArchetypes(archetypes: readonly ArchetypeDefinition[], facts: Facts): readonly ArchetypeDefinition[] {
  const { archetypeId } = facts.explanation.archetype;
  const best = archetypes.find(({ id }) => id === archetypeId);
  return facts.noDifferencesReason !== null || best === undefined
    ? []
    : [best, ...findNeighbours(best, archetypes, facts)];
}

/** The archetype, if the answers distinguish values. An unresolved one has no name, and the report says why. */
export function writeArchetype(context: ReportContext): ReportArchetype | null {
  const { facts, words, language, input } = context;
  const { explanation, noDifferencesReason } = facts;
  if (noDifferencesReason !== null) return null;
  const { archetypeId } = explanation.archetype;
  const { name, summary } = words.archetypeWords(archetypeId);
  const [best, ...others] = findArchetypes(input.definition.archetypes, facts);
  const { texts, say, tag } = language;
  if (best === undefined)
    return { archetypeId, name: null, summary: { text: texts.archetypeOpen, language: tag }, between: [], notes: [] };
  const [other] = others;
  if (other === undefined) {
    const direction = best.direction === "focused" ? texts.archetypeFocused : texts.archetypePlural;
    return { archetypeId, name, summary, between: [], notes: [`${writeDistance(context)} ${direction}`] };
  }
  const isOneOfTwo = others.length === 1;
  const names = { one: name.text, other: words.archetypeWords(other.id).name.text };
  const twoNote = other.direction === best.direction ? texts.betweenDistances : texts.betweenDirections;
  const opening = findOpening([best, ...others], input.definition, tag);
  return {
    archetypeId,
    name: { text: isOneOfTwo ? say(texts.between, names) : texts.betweenFour, language: tag },
    summary: { text: opening ?? (isOneOfTwo ? twoNote : texts.betweenBoth), language: tag },
    between: [best, ...others].map((each) => writeMeaning(context, each)),
    notes: [
      `${writeDistance(context)} ${isOneOfTwo ? twoNote : texts.betweenBoth}`,
      isOneOfTwo ? texts.betweenNames : texts.betweenFourNames,
    ],
  };
}

/** What is written on people between these archetypes of the definition that ships. Null: they are of another one. */
function findOpening(
  between: readonly ArchetypeDefinition[],
  { archetypes }: Definition,
  language: string,
): string | null {
  const names = archetypes.filter((each) => between.includes(each)).map(({ name }) => name);
  return openings.get(language)?.[names.join(", ")] ?? null;
}

/**
 * Other archetypes that the answers fit as well as the one found: none, one if the direction or the
 * distance is uncertain, three if both are.
 */
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

/** Within the error of the focus, and where a named pair of opposites speaks against a single direction. */
function isDirectionUncertain(best: ArchetypeDefinition, facts: Facts): boolean {
  const { explanation, quality } = facts;
  if ((quality?.error ?? null) === null) return false;
  const { archetype, constants } = explanation;
  const { seFocus = null } = quality?.error?.stability ?? {};
  const hasOpposites = best.direction === "focused" && listStrongPairs(facts, "conflict").length > 0;
  return hasOpposites || seFocus === null || Math.abs((archetype.focus ?? 0) - constants.focusThreshold) <= seFocus;
}

/**
 * The archetype of the same direction whose distance the answers leave open: within the error of the total gap, where
 * noise makes as much of it, and where the list of differences speaks against none.
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

/** Whether the list names what the words of the nearest two bands deny: any difference at all, or a large one. */
function contradictsBand(band: number, { values }: Facts): boolean {
  return values.some(({ gap }) => (band === 0 && gap?.named) || (band === 1 && gap?.inSummary));
}

/** The distance of the two lives, and how much of it is expected by chance. */
function writeDistance({ facts: { explanation, quality }, input, language }: ReportContext): string {
  const { texts, say, stepCount } = language;
  const { min, max } = input.definition.scale;
  const inSteps = (points: number) => stepCount((points * (max - min)) / 100);
  const apart = say(texts.apart, { steps: inSteps(explanation.totalGap?.total ?? 0) });
  const noise = quality?.error?.totalGap?.noise;
  return noise === undefined ? apart : `${apart} ${say(texts.apartByChance, { steps: inSteps(noise) })}`;
}

/** The two conditions of an archetype. */
function writeMeaning(
  { words, input, language }: ReportContext,
  archetype: ArchetypeDefinition,
): ReportArchetypeMeaning {
  const { id, gapFrom, gapBelow, direction } = archetype;
  const { texts, say, steps, stepCount } = language;
  const { min, max } = input.definition.scale;
  const inSteps = (points: number) => (points * (max - min)) / 100;
  const [from, below] = [inSteps(gapFrom), inSteps(gapBelow ?? 0)];
  const range =
    gapBelow === null
      ? say(texts.meaningFrom, { from: stepCount(from) })
      : gapFrom === 0
        ? say(texts.meaningBelow, { below: stepCount(below) })
        : say(texts.meaningWithin, { from: steps(from), below: stepCount(below) });
  const way = direction === "focused" ? texts.meaningFocused : texts.meaningPlural;
  return { archetypeId: id, name: words.archetypeWords(id).name, text: `${range} ${way}` };
}
