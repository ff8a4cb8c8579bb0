// Rules between members of a definition, which a schema cannot state.
import { addUp, findGreatestCommonDivisor } from "../scoring/exact.ts";
import type { Definition, Translation } from "./definition.ts";
import { toShortForm } from "./forms.ts";

/** One fault in a definition. */
export interface DefinitionFault {
  /** A JSON Pointer as URI fragment (RFC 6901): `#/values/3/items/1/weight`. */
  readonly pointer: string;
  /** For the author of the definition. */
  readonly message: string;
}

/** Adds a fault. @param pointer JSON Pointer from the definition down */
type Report = (pointer: string, message: string) => void;

/** Question ids are `assessmentId * 1000 + position`. */
const maxQuestions = 999;
const greatestGap = 100;

/** The faults of a definition; none if it can be published. */
export function checkRules(definition: Definition): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const report: Report = (pointer, message) => faults.push({ pointer: `#${pointer}`, message });
  const { scale, translations = [] } = definition;
  if (scale.min >= scale.max) report("/scale/max", "must be above min");
  checkLabels(definition, scale.labels, "/scale", report);
  checkDistinct(definition, "", report);
  checkItems(definition, "items", report);
  const shortForm = toShortForm(definition);
  if (shortForm !== undefined) checkItems(shortForm, "items of the short form", report);
  checkOrder(definition, report);
  checkPairings(definition, report);
  checkArchetypes(definition, report);
  checkScoring(definition, report);
  for (const [index, translation] of translations.entries()) {
    const pointer = `/translations/${index}`;
    checkLabels(definition, translation.labels, pointer, report);
    checkDistinct(translation, pointer, report);
    checkTranslation(definition, translation, pointer, report);
  }
  return faults;
}

function checkLabels({ scale }: Definition, labels: readonly string[], pointer: string, report: Report): void {
  const ratings = scale.max - scale.min + 1;
  if (labels.length !== ratings) report(`${pointer}/labels`, `must be ${ratings} labels, one for each rating`);
}

/** Members that must differ from each other, in a definition or in a translation; `*` is every entry of a list. */
const distinct: readonly (readonly string[])[] = [
  ["/language", "/translations/*/language"],
  ["/scale/labels/*", "/labels/*"],
  ["/frames/*/lifeContext"],
  ["/frames/*/text"],
  ["/values/*/id"],
  ["/values/*/name"],
  ["/values/*/items/*/predicate", "/values/*/predicates/*"],
  ["/pairings/*/id"],
  ["/pairings/*/values"],
  ["/archetypes/*/id", "/unresolvedArchetype/id"],
  ["/archetypes/*/name", "/unresolvedArchetype/name"],
  ["/scoring/tiers/*/name", "/scoring/unranked"],
];

/** Checks that members differ. Case, kind of space and encoding of letters are ignored. */
function checkDistinct(texts: Definition | Translation, base: string, report: Report): void {
  for (const patterns of distinct) {
    const firsts = new Map<string, string>();
    for (const [pointer, member] of patterns.flatMap((pattern) => listMembersAt(texts, pattern))) {
      const folded = String(member).normalize("NFKC").toLowerCase().replace(/\s+/gu, " ");
      const first = firsts.get(folded);
      if (first === undefined) firsts.set(folded, pointer);
      else report(base + pointer, `must not be the same as #${base}${first}`);
    }
  }
}

function listMembersAt(json: unknown, pattern: string): readonly (readonly [pointer: string, member: unknown])[] {
  let members: readonly (readonly [string, unknown])[] = [["", json]];
  for (const name of pattern.split("/").slice(1)) {
    members = members.flatMap(([pointer, parent]) =>
      Object.entries(parent ?? {})
        .filter(([key]) => name === "*" || name === key)
        .map(([key, member]) => [`${pointer}/${key}`, member] as const),
    );
  }
  return members;
}

/** Checks that all values have the same number of items, and can be scored and checked for agreement. */
function checkItems({ values }: Definition, itemWords: string, report: Report): void {
  const usual = values[0]?.items.length;
  for (const [index, { items }] of values.entries()) {
    const check = (isSound: boolean, message: string) => isSound || report(`/values/${index}/items`, message);
    check(items.length === usual, `must be as many ${itemWords} as those of the first value, ${usual}`);
    check(
      items.some(({ inverse }) => inverse) && items.some(({ inverse }) => !inverse),
      `must have an inverse and a forward one among the ${itemWords}`,
    );
    check(
      items.some(({ weight }) => weight > 0),
      `must have one with a weight above 0 among the ${itemWords}`,
    );
  }
  // Each item is asked for both lives.
  const questions = addUp(values.map(({ items }) => 2 * items.length));
  if (questions > maxQuestions) report("/values", `must make at most ${maxQuestions} questions, not ${questions}`);
}

function checkOrder({ order: { valueStride }, values }: Definition, report: Report): void {
  if (findGreatestCommonDivisor(valueStride, values.length) === 1) return;
  const message = `must have no common divisor with the number of values, ${values.length}: a round would leave values out`;
  report("/order/valueStride", message);
}

function checkPairings({ pairings, values }: Definition, report: Report): void {
  const valueIds = new Set(values.map(({ id }) => id));
  for (const [index, { values: pair }] of pairings.entries()) {
    if (pair[0] < pair[1] && pair.every((id) => valueIds.has(id))) continue;
    report(`/pairings/${index}/values`, "must be the ids of two values, the lower one first");
  }
  for (const kind of ["harmony", "conflict"] as const) {
    if (!pairings.some((pairing) => pairing.kind === kind)) report("/pairings", `must have one of the kind ${kind}`);
  }
}

/** Checks that the archetypes of each direction have no gap and no overlap. */
function checkArchetypes({ archetypes }: Definition, report: Report): void {
  const places = archetypes.map((archetype, index) => ({ ...archetype, pointer: `/archetypes/${index}` }));
  for (const direction of ["focused", "plural"] as const) {
    let end = 0;
    const inOrder = places.filter((each) => each.direction === direction).sort((a, b) => a.gapFrom - b.gapFrom);
    for (const { pointer, gapFrom, gapBelow } of inOrder) {
      if (gapFrom !== end) report(`${pointer}/gapFrom`, `must be where the ${direction} archetype before ends, ${end}`);
      end = gapBelow ?? Infinity;
      if (end <= gapFrom) report(`${pointer}/gapBelow`, "must be above gapFrom");
    }
    if (end <= greatestGap) report("/archetypes", `must have one for gaps from ${end} to ${greatestGap}, ${direction}`);
  }
}

function checkScoring({ scoring, values }: Definition, report: Report): void {
  for (const name of ["minBaselineValues", "minGapValues"] as const) {
    if (scoring[name] > values.length)
      report(`/scoring/${name}`, `must be at most ${values.length}, the number of values`);
  }
  let before = 0;
  for (const [index, { share }] of scoring.tiers.entries()) {
    const size = share[0] / share[1];
    if (size <= before) report(`/scoring/tiers/${index}/share`, "must be above that of the tier before");
    before = size;
  }
  if (before !== 1)
    report(`/scoring/tiers/${scoring.tiers.length - 1}/share`, "must be 1 for the last tier, such as 4/4");
}

function checkTranslation(definition: Definition, translation: Translation, pointer: string, report: Report): void {
  for (const name of ["values", "archetypes"] as const) {
    const ids = new Set(definition[name].map(({ id }) => id));
    const translated = new Set(translation[name].map(({ id }) => id));
    if (ids.symmetricDifference(translated).size === 0) continue;
    report(`${pointer}/${name}`, `must have the ids of the definition's ${name}: ${[...ids].join(", ")}`);
  }
  for (const [index, { id, predicates }] of translation.values.entries()) {
    const items = definition.values.find((value) => value.id === id)?.items ?? predicates;
    if (items.length === predicates.length) continue;
    report(
      `${pointer}/values/${index}/predicates`,
      `must be ${items.length} predicates, one for each item of the value`,
    );
  }
}
