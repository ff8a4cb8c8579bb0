// "In short": the archetype, and sentences with their conditions.

import type { ReportSummary } from "../report-model.ts";
import { writeArchetype } from "./archetype.ts";
import type { NoDifferencesReason, ReportContext, ValueFacts } from "./facts.ts";
import { maxSummaryValues } from "./rules.ts";
import { compareCircleOrder, compareSize, roundShownSteps, writeFlagSentences } from "./sections.ts";

const silenceTexts: Readonly<Record<NoDifferencesReason, "silenceEqual" | "silenceFew" | "silenceGrade">> = {
  equal: "silenceEqual",
  few: "silenceFew",
  grade: "silenceGrade",
};

/** The summary of a report. */
export function writeSummary(context: ReportContext): ReportSummary {
  const { texts } = context.language;
  return {
    title: texts.summaryTitle,
    archetype: writeArchetype(context),
    sentences: [...writeMostWantedSentences(context), ...writeDifferenceSentences(context)],
    silence: writeNoDifferences(context),
    highlights: [...writeHighlight(context, "wantMore"), ...writeHighlight(context, "liveMore")],
  };
}

/** The largest named differences one way; none if too many are equal. */
function writeHighlight(context: ReportContext, group: "wantMore" | "liveMore"): ReportSummary["highlights"] {
  const { texts } = context.language;
  const values = context.facts.values.filter((value) => value.group === group).sort(compareSize);
  const largest = values.filter((value) => roundShownSteps(value) === Math.max(...values.map(roundShownSteps)));
  if (largest.length > maxSummaryValues) return [];
  const [text] = writeSentence(context, group === "wantMore" ? texts.missedMost : texts.tooMuchRoom, largest);
  return text === undefined ? [] : [{ group, text, valueIds: largest.map(({ valueId }) => valueId) }];
}

/** The leading values, and other high ones. */
function writeMostWantedSentences(context: ReportContext): string[] {
  const { texts } = context.language;
  const topValues = context.facts.values.filter(({ mostWanted }) => mostWanted).sort(compareCircleOrder);
  const leading = topValues.filter((value) => value.leading);
  const high = topValues.filter((value) => !value.leading);
  const open = high.length > 1 ? ` ${texts.orderOpen}` : "";
  return [
    ...writeSentence(context, texts.wantLead, leading),
    ...writeSentence(context, `${leading.length > 0 ? texts.wantHighToo : texts.wantHigh}${open}`, high),
    ...writeTieSentence(context),
  ];
}

/** The sentence about equal values that are too many to be wanted most. */
export function writeTieSentence({ facts, language: { texts, say } }: ReportContext): string[] {
  const { equallyHigh: count, values } = facts;
  const text = values.some(({ mostWanted }) => mostWanted) ? texts.equallyHigh : texts.allEquallyHigh;
  return count === 0 ? [] : [say(text, { count })];
}

/** The largest differences each way, from the top of their lists. */
function writeDifferenceSentences(context: ReportContext): string[] {
  const { facts, language } = context;
  const { texts } = language;
  const largest = (direction: "wantMore" | "liveMore") => {
    const values = facts.values.filter(({ group }) => group === direction).sort(compareSize);
    const end = values.findIndex(({ gap }) => gap?.inSummary !== true);
    return values.slice(0, Math.min(maxSummaryValues, end === -1 ? values.length : end));
  };
  return [
    ...writeSentence(context, texts.wantMore, largest("wantMore")),
    ...writeSentence(context, texts.liveMore, largest("liveMore")),
  ];
}

/** A sentence about some values; none without them. */
function writeSentence({ words, language }: ReportContext, text: string, values: readonly ValueFacts[]): string[] {
  const names = values.map(({ valueId }) => words.findValueName(valueId).text);
  return names.length === 0 ? [] : [language.say(text, { values: language.formatList(names) })];
}

function writeNoDifferences(context: ReportContext): string | null {
  const { noDifferencesReason, scoredIdeal, values } = context.facts;
  const { texts, say } = context.language;
  if (noDifferencesReason === null) return null;
  const why = noDifferencesReason === "grade" ? writeFlagSentences(context) : [];
  return [...why, say(texts[silenceTexts[noDifferencesReason]], { scored: scoredIdeal, total: values.length })].join(
    " ",
  );
}
