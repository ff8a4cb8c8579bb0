// Creates the report model of a scored session.
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { matchLanguage } from "../../../kernel/languages.ts";
import { findState, listLanguages } from "../definition/wordings.ts";
import { toVisibleLine } from "./branding.ts";
import { writeChange, writeOthers } from "./model/comparisons.ts";
import { translateWords } from "./model/definition-words.ts";
import type { ReportContext } from "./model/facts.ts";
import { collectFacts } from "./model/facts.ts";
import { writePairs } from "./model/pairs.ts";
import { reportRevision } from "./model/rules.ts";
import { writeDifferences, writePicture, writeQuestions, writeReading } from "./model/sections.ts";
import { writeSteps } from "./model/steps.ts";
import { writeSummary } from "./model/summary.ts";
import { writeMostWanted, writeValues } from "./model/values.ts";
import type { ReportInput } from "./report-input.ts";
import type { ReportCover, ReportModel, ReportSupport } from "./report-model.ts";
import { chooseReportLanguage } from "./words/language.ts";

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
  const language = chooseReportLanguage(locales);
  const words = translateWords(definition, language.tag);
  const context: ReportContext = { input, facts: collectFacts(input), words, language };
  const values = writeValues(context);
  const { min, max } = definition.scale;
  return {
    revision: reportRevision,
    language: language.tag,
    sessionId: session?.id ?? null,
    completedAt: session?.completedAt.toISOString() ?? null,
    assessment: {
      product: definition.product,
      version: assessmentVersion,
      form,
      scoringModel: definition.scoring.model,
      scoringVersion: definition.scoring.version,
    },
    title: words.title,
    cover: writeCover(context),
    introduction: writeIntroduction(context),
    scale: { min, max, lowest: words.lowest, highest: words.highest },
    summary: writeSummary(context),
    values,
    picture: writePicture(context, values),
    mostWanted: writeMostWanted(context),
    differences: writeDifferences(context),
    pairs: writePairs(context),
    questions: writeQuestions(context),
    steps: writeSteps(context),
    change: writeChange(context),
    others: writeOthers(context),
    support: writeSupport(context),
    reading: writeReading(context),
    sharing: writeSharing(context),
    source: writeSource(context),
  };
}

/** How many statements were answered, and when. */
function writeIntroduction({
  input: { session, definition, person },
  facts: { explanation },
  language,
}: ReportContext): string {
  const { texts, say, formatCount, formatDate } = language;
  const total = definition.values.reduce((sum, { items }) => sum + definition.frames.length * items.length, 0);
  const itemAnswers = explanation.values.flatMap(({ ideal, current }) => [...ideal.items, ...current.items]);
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
function writeCover({ input: { person = {} }, language: { formatDate } }: ReportContext): ReportCover | null {
  const name = toVisibleLine(person.name ?? null);
  const date = person.date === undefined ? null : formatDate(new Date(`${person.date}T00:00:00Z`), "UTC");
  return name === null && date === null ? null : { name, date };
}

/** Where to get help; null if the partner wrote nothing. */
function writeSupport({ input: { support = null }, language: { texts } }: ReportContext): ReportSupport | null {
  const text = toVisibleLine(support);
  return text === null ? null : { title: texts.supportTitle, text };
}

/** Who else has the results. */
function writeSharing({ input: { sharing, person }, language: { texts, say, formatDate } }: ReportContext): string[] {
  if (sharing === undefined) return [];
  const partner = toVisibleLine(sharing.partner) ?? texts.somePartner;
  const [who, end] = sharing.isByLink ? [texts.sharing, texts.linkEnds] : [texts.sharingAlone, texts.pageEnds];
  return [say(who, { partner }), say(end, { date: formatDate(sharing.until, person?.timeZone) })];
}

/** The source of the results. */
function writeSource(context: ReportContext): string[] {
  const { texts, say } = context.language;
  const { assessmentVersion: version, form } = context.input;
  return [
    texts.source,
    ...describeTranslation(context),
    ...(form === "short" ? [texts.shortForm] : []),
    ...(version === null ? [] : [say(texts.version, { version })]),
  ];
}

/** The limits of the translation that was answered or, if that is not known, of the one that the report quotes. */
function describeTranslation({ input: { definition, shownLanguage }, language }: ReportContext): string[] {
  const { tag, texts, say, findLanguageName } = language;
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
