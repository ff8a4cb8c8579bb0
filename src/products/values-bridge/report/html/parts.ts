// The parts of a report that are texts, and the legends of its pictures.
import { html, type SafeHtml } from "@remix-run/html-template";
import { findDirection } from "../../../../presentation/phrases.ts";
import { ownTrack } from "../drawing/gap-rows.ts";
import { sampleSize } from "../drawing/legend.ts";
import type { Mark } from "../drawing/marks.ts";
import { formatViewBox, renderMarks } from "../drawing/svg.ts";
import type { WordedText } from "../model/definition-words.ts";
import { findNamesInText } from "../names-in-text.ts";
import type {
  ReportList,
  ReportModel,
  ReportMostWanted,
  ReportPairs,
  ReportSummary,
  ReportSupport,
} from "../report-model.ts";
import { chooseReportLanguage } from "../words/language.ts";

/** Longer headlines are set smaller. */
const shortHeadline = 16;

/** The headline, below what it names. */
export function renderHeadlinePart(headline: WordedText, topic: string | null, language: string): SafeHtml {
  const size = headline.text.length > shortHeadline ? "headline long" : "headline";
  return html`${topic === null ? "" : html`<p class="topic">${topic}</p>\n`}<h2 class="${size}"${renderLang(headline, language)}>${headline.text}</h2>\n`;
}

/** What the archetype says, the largest differences, and the way to the step. */
export function renderOpeningPart({ summary, steps, values, language }: ReportModel): SafeHtml {
  const { archetype, highlights } = summary;
  const { texts } = chooseReportLanguage([language]);
  const lines = highlights.map(({ group, text }) => html`<li class="${group}">${renderNames(text, values)}</li>\n`);
  return html`${archetype === null ? "" : html`<p class="lead"${renderLang(archetype.summary, language)}>${archetype.summary.text}</p>\n`}${lines.length === 0 ? "" : html`<ul class="highlights">${lines}</ul>\n`}${(steps?.offers ?? []).length === 0 ? "" : html`<p><a class="go" href="#step">${texts.toStep}</a></p>`}`;
}

/** "In short", the name of the archetype or what it lies between, with its conditions, and what was answered. */
export function renderSummaryPart(
  { title, sentences, silence, archetype }: ReportSummary,
  { introduction, language, values }: ReportModel,
): SafeHtml {
  const { name = null, between = [], notes = [] } = archetype ?? {};
  const { colon } = chooseReportLanguage([language]).texts;
  const meanings = between.map(
    (each) => html`<p><b${renderLang(each.name, language)}>${each.name.text}</b>${colon}${each.text}</p>\n`,
  );
  return html`<section class="part summary" aria-labelledby="summary">
<div class="head"><h2 id="summary">${title}</h2></div>
<div>${sentences.map((sentence) => html`<p>${renderNames(sentence, values)}</p>\n`)}${silence === null ? "" : html`<p>${silence}</p>\n`}${name === null ? "" : html`<details class="note archetype"><summary${renderLang(name, language)}>${name.text}</summary>${meanings}${notes.map((note) => html`<p>${note}</p>\n`)}</details>\n`}<p class="note">${introduction}</p></div>
</section>`;
}

function renderNames(sentence: string, values: ReportModel["values"]): SafeHtml {
  return html`${findNamesInText(sentence, values).map(({ text, isName }) => (isName ? html`<b>${text}</b>` : text))}`;
}

/** A note as its first sentence; the others open below it. A number with a full stop ends none. */
export function renderNote(text: string, language: string): SafeHtml {
  const [, first = text, rest = ""] = /^(.*?[^\d\s][.!?])\s+(.*)$/s.exec(text) ?? [];
  const { more } = chooseReportLanguage([language]).texts;
  return rest === ""
    ? html`<p class="note">${text}</p>`
    : html`<p class="note">${first}</p>
<details class="note more"><summary>${more}</summary><p>${rest}</p></details>`;
}

/** Links to the parts that most readers look for, where a page is long. */
export function renderContentsPart({ language, summary, steps, differences, reading }: ReportModel): SafeHtml {
  const { texts } = chooseReportLanguage([language]);
  const links = [
    ["summary", summary.title],
    ...(steps === null ? [] : [["steps", steps.title]]),
    ["differences", differences.title],
    ["reading", reading.title],
  ];
  return html`<nav class="contents" aria-label="${texts.contents}"><ul>${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>`;
}

/** What is wanted most. */
export function renderMostWantedPart(
  { title, note, entries, closeBehind }: ReportMostWanted,
  { values, language }: ReportModel,
): SafeHtml {
  const items = entries.map(({ valueId, text, portrait }) => {
    const value = values.find((each) => each.valueId === valueId);
    if (value === undefined) return "";
    const { name, goal } = value;
    return html`<li><h3${renderLang(name, language)}>${name.text}</h3>
<p class="goal"${renderLang(goal, language)}>${goal.text}</p>
${portrait === null ? "" : html`<p>${portrait.high} ${portrait.cost}</p>\n<p class="ask">${portrait.question}</p>\n`}${text === null ? "" : html`<p class="note">${text}</p>`}</li>
`;
  });
  return html`<section class="part" aria-labelledby="wanted">
<div class="head"><h2 id="wanted">${title}</h2>
${renderNote(note, language)}</div>
<div><ul class="wanted">${items}</ul>
${closeBehind === null ? "" : html`<p class="note close">${closeBehind.text}</p>`}</div>
</section>`;
}

/** Pairs and questions. */
export function renderPairsAndQuestions({ pairs, questions, language }: ReportModel): SafeHtml {
  return html`${pairs === null ? "" : renderPairsPart(pairs, language)}${questions === null ? "" : renderListPart("questions", questions)}`;
}

function renderPairsPart({ title, note, kinds }: ReportPairs, language: string): SafeHtml {
  return html`<section class="part" aria-labelledby="pairs">
<div class="head"><h2 id="pairs">${title}</h2>
${renderNote(note, language)}</div>
<div>${kinds.map(
    (kind) => html`<ul class="pairs">${kind.pairs.map(({ text }) => html`<li>${text}</li>\n`)}</ul>
<p class="note">${kind.note}</p>
`,
  )}</div></section>
`;
}

interface Tracks<Entry> {
  readonly title: string;
  readonly note: string;
  readonly entries: readonly Entry[];
  readonly rest: string | null;
}

/** What changed since last time, or how others answered: each entry beside its track. @param ends of the tracks, in words */
export function renderTracksPart<Entry extends { readonly text: string }>(
  id: "change" | "others",
  { title, note, entries, rest }: Tracks<Entry>,
  ends: readonly [WordedText, WordedText],
  language: string,
  drawMarks: (entry: Entry) => readonly Mark[],
): SafeHtml {
  const items = entries.map((entry) => {
    const marks = renderMarks(drawMarks(entry));
    return html`<li><svg viewBox="${formatViewBox(ownTrack.box)}" aria-hidden="true">${marks}</svg>${entry.text}</li>\n`;
  });
  return html`<section class="part" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2>
${renderNote(note, language)}</div>
<div class="tracks ${id}">${entries.length === 0 ? "" : html`${renderEnds(...ends, language)}<ul>${items}</ul>\n`}${rest === null ? "" : html`<p>${rest}</p>`}</div>
</section>`;
}

/** Where to turn. The language of the partner's words is not known: an empty `lang` says that it is not the page's. */
export function renderSupportPart({ title, text }: ReportSupport): SafeHtml {
  return html`<section class="part" aria-labelledby="support">
<div class="head"><h2 id="support">${title}</h2></div>
<p class="lead" dir="auto" lang="">${text}</p>
</section>`;
}

/** Questions are numbered, the limits of the report are not. */
export function renderListPart(id: "questions" | "reading", { title, entries }: ReportList): SafeHtml {
  const items = entries.map((entry) => html`<li>${entry}</li>\n`);
  const list = id === "questions" ? html`<ol class="numbered">${items}</ol>` : html`<ul class="plain">${items}</ul>`;
  return html`<section class="part" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2></div>
${list}
</section>`;
}

/** The ends of tracks, in words. */
export function renderEnds(lowest: WordedText, highest: WordedText, language: string): SafeHtml {
  return html`<p class="ends" dir="ltr" aria-hidden="true"><span${renderLang(lowest, language)}>${lowest.text}</span> <span${renderLang(highest, language)}>${highest.text}</span></p>`;
}

/** A text without line breaks between a number and its unit. */
export function keepUnits(text: string): string {
  return text.replace(/(?<=\d) /g, "\u00a0");
}

/** Attributes of an element with such a text; none where the language is the report's. */
export function renderLang({ language }: WordedText, report: string): SafeHtml | "" {
  return language === report ? "" : html` lang="${language}" dir="${findDirection(language)}"`;
}

/** A list of marks. @param drawSample what a mark looks like in a box of the size of samples; nothing: it is left out */
export function renderLegend<Of extends { readonly text: string }>(
  legend: readonly Of[],
  drawSample: (entry: Of) => readonly Mark[],
): SafeHtml {
  const { width, height } = sampleSize;
  const entries = legend.map((entry) => ({ text: entry.text, marks: drawSample(entry) }));
  return html`<ul class="legend">${entries
    .filter(({ marks }) => marks.length > 0)
    .map(
      ({ text, marks }) =>
        html`<li><svg width="${width}" height="${height}" aria-hidden="true">${renderMarks(marks)}</svg>${text}</li>\n`,
    )}</ul>`;
}
