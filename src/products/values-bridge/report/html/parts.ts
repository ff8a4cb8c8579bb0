// The parts of a report that are texts, and the legends of its pictures.
import { html, type SafeHtml } from "@remix-run/html-template";
import { directionOf } from "../../../../presentation/phrases.ts";
import type { WordedText } from "../../definition/names.ts";
import { ownTrack } from "../drawing/gap-rows.ts";
import { sampleSize } from "../drawing/legend.ts";
import type { Mark } from "../drawing/marks.ts";
import { marksToSvg } from "../drawing/svg.ts";
import type {
  ReportList,
  ReportModel,
  ReportMostWanted,
  ReportPairs,
  ReportSummary,
  ReportSupport,
} from "../report-model.ts";
import { reportLanguageFor } from "../words/language.ts";

/** Longer headlines are set smaller. */
const shortHeadline = 16;

/** The headline. */
export function headlinePart(headline: WordedText, language: string): SafeHtml {
  const size = headline.text.length > shortHeadline ? "headline long" : "headline";
  return html`<h2 class="${size}"${wordedIn(headline, language)}>${headline.text}</h2>\n`;
}

/** The archetype. @param isHeadline whether its name stands above already */
export function archetypePart(
  { name, summary }: NonNullable<ReportSummary["archetype"]>,
  isHeadline: boolean,
  language: string,
): SafeHtml {
  const nameHtml = name === null || isHeadline ? "" : html`<b${wordedIn(name, language)}>${name.text}.</b> `;
  return html`<p class="lead">${nameHtml}<span${wordedIn(summary, language)}>${summary.text}</span></p>`;
}

/** "In short", the meaning of the archetype or archetypes, and what was answered. */
export function summaryPart(
  { title, sentences, silence, archetype }: ReportSummary,
  { introduction, language }: ReportModel,
): SafeHtml {
  const between = archetype?.between ?? [];
  const { colon } = reportLanguageFor([language]).texts;
  const notes = [...(archetype?.notes ?? []), introduction];
  return html`<section class="summary" aria-labelledby="summary">
<h2 id="summary">${title}</h2>
${sentences.map((sentence) => html`<p class="said">${sentence}</p>\n`)}${silence === null ? "" : html`<p>${silence}</p>\n`}${between.map(({ name, text }) => html`<p class="note"><b${wordedIn(name, language)}>${name.text}</b>${colon}${text}</p>\n`)}${notes.map((note) => html`<p class="note">${note}</p>\n`)}</section>`;
}

/** What is wanted most. */
export function mostWantedPart(
  { title, note, entries, closeBehind }: ReportMostWanted,
  { values, language }: ReportModel,
): SafeHtml {
  const items = entries.map(({ valueId, text, portrait }) => {
    const value = values.find((each) => each.valueId === valueId);
    if (value === undefined) return "";
    const { name, goal } = value;
    return html`<li><h3${wordedIn(name, language)}>${name.text}</h3>
<p class="goal"${wordedIn(goal, language)}>${goal.text}</p>
${portrait === null ? "" : html`<p>${portrait.high} ${portrait.cost}</p>\n<p class="ask">${portrait.question}</p>\n`}${text === null ? "" : html`<p class="note">${text}</p>`}</li>
`;
  });
  return html`<section class="part" aria-labelledby="wanted">
<div class="head"><h2 id="wanted">${title}</h2>
<p class="note">${note}</p></div>
<div><ul class="wanted">${items}</ul>
${closeBehind === null ? "" : html`<p class="note close">${closeBehind.text}</p>`}</div>
</section>`;
}

/** Pairs and questions. */
export function pairsAndQuestions(pairs: ReportPairs | null, questions: ReportList | null): SafeHtml {
  return html`${pairs === null ? "" : pairsPart(pairs)}${questions === null ? "" : listPart("questions", questions)}`;
}

function pairsPart({ title, note, kinds }: ReportPairs): SafeHtml {
  return html`<section class="part" aria-labelledby="pairs">
<div class="head"><h2 id="pairs">${title}</h2>
<p class="note">${note}</p></div>
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
export function tracksPart<Entry extends { readonly text: string }>(
  id: "change" | "others",
  { title, note, entries, rest }: Tracks<Entry>,
  ends: SafeHtml,
  marksOf: (entry: Entry) => readonly Mark[],
): SafeHtml {
  const [left, top, right, bottom] = ownTrack.box;
  const items = entries.map((entry) => {
    const marks = marksToSvg(marksOf(entry));
    return html`<li><svg viewBox="${left} ${top} ${right - left} ${bottom - top}" aria-hidden="true">${marks}</svg>${entry.text}</li>\n`;
  });
  return html`<section class="part" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2>
<p class="note">${note}</p></div>
<div class="tracks ${id}">${entries.length === 0 ? "" : html`${ends}<ul>${items}</ul>\n`}${rest === null ? "" : html`<p>${rest}</p>`}</div>
</section>`;
}

/** Where to turn. The language of the partner's words is not known: an empty `lang` says that it is not the page's. */
export function supportPart({ title, text }: ReportSupport): SafeHtml {
  return html`<section class="part" aria-labelledby="support">
<div class="head"><h2 id="support">${title}</h2></div>
<p class="lead" dir="auto" lang="">${text}</p>
</section>`;
}

/** Questions are numbered, the limits of the report are not. */
export function listPart(id: "questions" | "reading", { title, entries }: ReportList): SafeHtml {
  const items = entries.map((entry) => html`<li>${entry}</li>\n`);
  const list = id === "questions" ? html`<ol class="numbered">${items}</ol>` : html`<ul class="plain">${items}</ul>`;
  return html`<section class="part" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2></div>
${list}
</section>`;
}

/** The ends of tracks, in words. */
export function endsOf(lowest: WordedText, highest: WordedText, language: string): SafeHtml {
  return html`<p class="ends" dir="ltr" aria-hidden="true"><span${wordedIn(lowest, language)}>${lowest.text}</span> <span${wordedIn(highest, language)}>${highest.text}</span></p>`;
}

/** A text without line breaks between a number and its unit. */
export function counted(text: string): string {
  return text.replace(/(?<=\d) /g, "\u00a0");
}

/** Attributes of an element with such a text; none where the language is the report's. */
export function wordedIn({ language }: WordedText, report: string): SafeHtml | "" {
  return language === report ? "" : html` lang="${language}" dir="${directionOf(language)}"`;
}

/** A list of marks. @param samplesOf what a mark looks like in a box of the size of samples; nothing: it is left out */
export function legendOf<Of extends { readonly text: string }>(
  legend: readonly Of[],
  samplesOf: (entry: Of) => readonly Mark[],
): SafeHtml {
  const { width, height } = sampleSize;
  const entries = legend.map((entry) => ({ text: entry.text, marks: samplesOf(entry) }));
  return html`<ul class="legend">${entries
    .filter(({ marks }) => marks.length > 0)
    .map(
      ({ text, marks }) =>
        html`<li><svg width="${width}" height="${height}" aria-hidden="true">${marksToSvg(marks)}</svg>${text}</li>\n`,
    )}</ul>`;
}
