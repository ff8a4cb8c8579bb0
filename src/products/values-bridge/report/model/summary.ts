// "In short": each sentence with its condition, and the archetype after them.
import type { ReportArchetype, ReportSummary } from "../report-model.ts";
import type { ReportTexts } from "../words/texts.ts";
import type { ReportContext } from "./context.ts";
import type { Facts, Silence, ValueFacts } from "./facts.ts";
import { flagSentences } from "./flags.ts";
import { recurringShare, summaryNames, summarySteps } from "./rules.ts";

/** A sentence that stands only if there is something to put into it. */
interface SentenceRule {
  readonly text: keyof ReportTexts & ("wantMost" | "wantMore" | "liveMore");
  /** The values that the sentence names; none: it is left out. */
  readonly named: (facts: Facts) => readonly ValueFacts[];
}

/** In the order of the summary. */
const sentenceRules: readonly SentenceRule[] = [
  { text: "wantMost", named: ({ silence, values }) => (silence === null ? leaders(values) : []) },
  { text: "wantMore", named: ({ values }) => mostProminent(values, "wantMore") },
  { text: "liveMore", named: ({ values }) => mostProminent(values, "liveMore") },
];

const silenceTexts: Readonly<Record<Silence, "silenceEqual" | "silenceFew" | "silenceGrade">> = {
  equal: "silenceEqual",
  few: "silenceFew",
  grade: "silenceGrade",
};

/** The summary of a report. */
export function summaryOf(context: ReportContext): ReportSummary {
  const { facts, words, language } = context;
  const { texts, say, list } = language;
  const sentences = sentenceRules.flatMap(({ text, named }) => {
    const names = named(facts).map(({ valueId }) => words.nameOf(valueId).text);
    return names.length === 0 ? [] : [say(texts[text], { values: list(names) })];
  });
  if (isAsWanted(facts)) sentences.push(say(texts.asWanted, { steps: summarySteps }));
  return { title: texts.summaryTitle, sentences, silence: silenceOf(context), archetype: archetypeOf(context) };
}

/** The highest scores in the life wanted, three at most, if they stand clear of the one after them. */
function leaders(values: readonly ValueFacts[]): readonly ValueFacts[] {
  const ranked = values
    .filter(({ ideal }) => ideal.displayRank !== null)
    .sort((one, other) => (one.ideal.displayRank ?? 0) - (other.ideal.displayRank ?? 0));
  const scoreAt = (index: number) => ranked[index]?.ideal.score ?? Number.NEGATIVE_INFINITY;
  for (let count = summaryNames; count > 0; count -= 1) {
    if (scoreAt(count - 1) > scoreAt(count)) return ranked.slice(0, count);
  }
  return [];
}

function mostProminent(values: readonly ValueFacts[], group: "wantMore" | "liveMore"): readonly ValueFacts[] {
  return values
    .filter((value) => value.group === group && value.gap?.inSummary)
    .sort((one, other) => other.prominence - one.prominence)
    .slice(0, summaryNames);
}

/** Whether there are enough gaps to say of all of them that they are small. */
function isAsWanted({ values, silence, sortable, gaps, explanation }: Facts): boolean {
  if (explanation === null || silence !== null || !sortable || gaps < explanation.constants.minGapValues) return false;
  return values.every(({ gap }) => gap === null || Math.abs(gap.steps) < summarySteps);
}

function silenceOf(context: ReportContext): string | null {
  const { silence, scoredIdeal, values, explanation } = context.facts;
  const { texts, say } = context.language;
  if (explanation === null) return texts.storedOnly;
  if (silence === null) return null;
  const why = silence === "grade" ? flagSentences(context) : [];
  return [...why, say(texts[silenceTexts[silence]], { scored: scoredIdeal, total: values.length })].join(" ");
}

/** The archetype, if the answers tell values apart; an unresolved one has its summary alone. */
function archetypeOf({ facts, words, language, input }: ReportContext): ReportArchetype | null {
  const { explanation, silence, quality } = facts;
  if (explanation === null || silence !== null) return null;
  const { archetypeId, direction } = explanation.archetype;
  const { name, summary } = words.archetypeOf(archetypeId);
  const total = explanation.totalGap;
  if (direction === null || total === null) return { archetypeId, name: null, summary, notes: [] };
  const { texts, say, decimal } = language;
  const { min, max } = input.definition.scale;
  const text = direction === "focused" ? texts.archetypeFocused : texts.archetypePlural;
  const notes = [say(text, { steps: decimal((total.total * (max - min)) / 100) })];
  const stability = quality?.error?.stability ?? null;
  if (stability !== null && stability.sameArchetype < recurringShare * stability.archetypes.length) {
    const other = mostFrequentOther(stability.archetypes, [archetypeId, input.definition.unresolvedArchetype.id]);
    const close = other === null ? texts.archetypeClose : texts.archetypeCloseTo;
    notes.push(say(close, other === null ? {} : { name: words.archetypeOf(other).name.text }));
  }
  return { archetypeId, name, summary, notes };
}

function mostFrequentOther(archetypes: readonly number[], excluded: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const id of archetypes) if (!excluded.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].sort(([one, ones], [other, others]) => others - ones || one - other)[0]?.[0] ?? null;
}
