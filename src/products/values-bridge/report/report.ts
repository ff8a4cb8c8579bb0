// Creates the report model of a scored session.
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { matchLanguage } from "../../../kernel/languages.ts";
import { findState, listLanguages } from "../definition/wordings.ts";
import { addUp } from "../scoring/exact.ts";
import { toVisibleLine } from "./branding.ts";
import { writeChange, writeOthers } from "./model/comparisons.ts";
import { collectFacts } from "./model/facts.ts";
import { writePairs } from "./model/pairs.ts";
import { reportRevision } from "./model/rules.ts";
import { writeDifferences, writePicture, writeQuestions, writeReading } from "./model/sections.ts";
import { writeSteps } from "./model/steps.ts";
import { writeSummary } from "./model/summary.ts";
import { writeMostWanted, writeValues } from "./model/values.ts";
import { createWriter, type ReportWriter } from "./model/writer.ts";
import type { ReportInput } from "./report-input.ts";
import type { ReportCover, ReportModel, ReportSupport } from "./report-model.ts";

const mismatchMessage =
  "An earlier release scored these answers in another way, so there is no report of them. Read the results as they were stored.";

/**
 * The report on one scored session, in the first requested language that is available. Pure: the same input gives the same
 * report.
 * @throws RangeError if answers and definition do not belong together
 * @throws `not_acceptable` if scoring the answers again does not give the results
 */
export function createReportModel(input: ReportInput): ReportModel {
  const { definition, session, assessmentVersion, form = "long", locales } = input;
  if (!input.explanation.explainsResults) throw new Refusal("not_acceptable", mismatchMessage);
  const writer: ReportWriter = { ...createWriter(definition, locales), input, facts: collectFacts(input) };
  const { tag, toWorded, translated } = writer;
  const { min, max, labels } = translated.scale;
  const values = writeValues(writer);
  return {
    revision: reportRevision,
    language: tag,
    sessionId: session?.id ?? null,
    completedAt: session?.completedAt.toISOString() ?? null,
    assessment: {
      product: definition.product,
      version: assessmentVersion,
      form,
      scoringModel: definition.scoring.model,
      scoringVersion: definition.scoring.version,
    },
    title: toWorded(translated.title),
    cover: writeCover(writer),
    introduction: writeIntroduction(writer),
    scale: { min, max, lowest: toWorded(labels.at(0) ?? ""), highest: toWorded(labels.at(-1) ?? "") },
    summary: writeSummary(writer),
    values,
    picture: writePicture(writer, values),
    mostWanted: writeMostWanted(writer),
    differences: writeDifferences(writer),
    pairs: writePairs(writer),
    questions: writeQuestions(writer),
    steps: writeSteps(writer),
    change: writeChange(writer),
    others: writeOthers(writer),
    support: writeSupport(writer),
    reading: writeReading(writer),
    sharing: writeSharing(writer),
    source: writeSource(writer),
  };
}

/** The number of answered statements, and the day. */
function writeIntroduction({ input, facts, texts, say, formatCount, formatDate }: ReportWriter): string {
  const { session, definition, person } = input;
  const total = addUp(definition.values.map(({ items }) => definition.frames.length * items.length));
  const itemAnswers = facts.explanation.values.flatMap(({ ideal, current }) => [...ideal.items, ...current.items]);
  const answerCount = itemAnswers.filter(({ answer }) => answer !== null).length;
  const statements =
    answerCount === total
      ? formatCount(texts.statements, total)
      : say(texts.statementsOf, { given: answerCount, total });
  const ratings =
    session === null
      ? say(texts.rated, { statements })
      : say(texts.ratedOn, { statements, date: formatDate(session.completedAt, person?.timeZone) });
  return `${ratings} ${texts.showsAnswers}`;
}

/** Name and day of the report. Null: neither was requested. */
function writeCover({ input: { person = {} }, formatDate }: ReportWriter): ReportCover | null {
  const name = toVisibleLine(person.name ?? null);
  const date = person.date === undefined ? null : formatDate(new Date(`${person.date}T00:00:00Z`), "UTC");
  return name === null && date === null ? null : { name, date };
}

/** Help for readers; null if the partner wrote nothing. */
function writeSupport({ input: { support = null }, texts }: ReportWriter): ReportSupport | null {
  const text = toVisibleLine(support);
  return text === null ? null : { title: texts.supportTitle, text };
}

/** Who else has the results. */
function writeSharing({ input: { sharing, person }, texts, say, formatDate }: ReportWriter): string[] {
  if (sharing === undefined) return [];
  const partner = toVisibleLine(sharing.partner) ?? texts.somePartner;
  const [who, end] = sharing.isByLink ? [texts.sharing, texts.linkEnds] : [texts.sharingAlone, texts.pageEnds];
  return [say(who, { partner }), say(end, { date: formatDate(sharing.until, person?.timeZone) })];
}

/** The source of the results. */
function writeSource(writer: ReportWriter): string[] {
  const { texts, say } = writer;
  const { assessmentVersion: version, form } = writer.input;
  return [
    texts.source,
    ...describeTranslation(writer),
    ...(form === "short" ? [texts.shortForm] : []),
    ...(version === null ? [] : [say(texts.version, { version })]),
  ];
}

/** The limits of the translation that was answered or, if that is not known, of the one that the report quotes. */
function describeTranslation({ input, tag, texts, say, findLanguageName }: ReportWriter): string[] {
  const { definition, shownLanguage } = input;
  const languages = listLanguages(definition);
  const tags = languages.map((each) => each.language);
  const shownTag = matchLanguage([shownLanguage ?? tag], tags) ?? definition.language;
  const state = findState(languages, shownTag);
  if (state === null || state === "equivalent") return [];
  const sentences = {
    draft: texts.translationDraft,
    reconciled: texts.translationReconciled,
    tested: texts.translationTested,
  };
  return [`${say(sentences[state], { language: findLanguageName(shownTag) })} ${texts.oneLanguage}`];
}
