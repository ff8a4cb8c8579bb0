// "In short": the archetype, and sentences with their conditions.

import type { ReportSummary } from "../report-model.ts";
import { writeArchetype } from "./archetype.ts";
import type { ValueFacts } from "./facts.ts";
import { listGroup, listMostWanted, roundShownSteps } from "./order.ts";
import { maxSummaryValues } from "./rules.ts";
import { writeFlagSentences } from "./sections.ts";
import type { ReportWriter } from "./writer.ts";

/** The summary of a report. */
export function writeSummary(writer: ReportWriter): ReportSummary {
  const { texts } = writer;
  return {
    title: texts.summaryTitle,
    archetype: writeArchetype(writer),
    sentences: [
      ...writeMostWantedSentences(writer),
      ...writeSentence(writer, texts.wantMore, listLargest(writer, "wantMore")),
      ...writeSentence(writer, texts.liveMore, listLargest(writer, "liveMore")),
    ],
    silence: writeNoDifferences(writer),
    highlights: [
      ...writeHighlight(writer, "wantMore", texts.missedMost),
      ...writeHighlight(writer, "liveMore", texts.tooMuchRoom),
    ],
  };
}

/** The largest named differences one way; none if too many are equal. */
function writeHighlight(
  writer: ReportWriter,
  group: "wantMore" | "liveMore",
  sentence: string,
): ReportSummary["highlights"] {
  const values = listGroup(writer.facts, group);
  const largest = values.filter((value) => roundShownSteps(value) === Math.max(...values.map(roundShownSteps)));
  if (largest.length > maxSummaryValues) return [];
  const valueIds = largest.map(({ valueId }) => valueId);
  return writeSentence(writer, sentence, largest).map((text) => ({ group, text, valueIds }));
}

/** The leading values, other high ones, and how many equal values are too many to be wanted most. */
function writeMostWantedSentences(writer: ReportWriter): string[] {
  const { facts, texts, say } = writer;
  const { equallyHigh: count } = facts;
  const topValues = listMostWanted(facts);
  const leading = topValues.filter((value) => value.leading);
  const high = topValues.slice(leading.length);
  const open = high.length > 1 ? ` ${texts.orderOpen}` : "";
  return [
    ...writeSentence(writer, texts.wantLead, leading),
    ...writeSentence(writer, `${leading.length > 0 ? texts.wantHighToo : texts.wantHigh}${open}`, high),
    ...(count === 0 ? [] : [say(topValues.length > 0 ? texts.equallyHigh : texts.allEquallyHigh, { count })]),
  ];
}

/** The largest differences one way, from the top of their list. */
function listLargest({ facts }: ReportWriter, group: "wantMore" | "liveMore"): readonly ValueFacts[] {
  const values = listGroup(facts, group);
  const end = values.findIndex(({ gap }) => gap?.inSummary !== true);
  return values.slice(0, Math.min(maxSummaryValues, end === -1 ? values.length : end));
}

/** A sentence about some values; none without them. */
function writeSentence({ say, formatList, getValueName }: ReportWriter, text: string, values: readonly ValueFacts[]) {
  const names = values.map(({ valueId }) => getValueName(valueId));
  return names.length === 0 ? [] : [say(text, { values: formatList(names) })];
}

function writeNoDifferences(writer: ReportWriter): string | null {
  const { texts, say, facts } = writer;
  const { noDifferencesReason, scoredIdeal, values } = facts;
  if (noDifferencesReason === null) return null;
  const sentences = { equal: texts.silenceEqual, few: texts.silenceFew, grade: texts.silenceGrade };
  const why = noDifferencesReason === "grade" ? writeFlagSentences(writer) : [];
  return [...why, say(sentences[noDifferencesReason], { scored: scoredIdeal, total: values.length })].join(" ");
}
