// The parts of a report that are texts, and what all parts are made of. A part that a report does not have is empty.
import { html, type SafeHtml } from "@remix-run/html-template";
import { findDirection } from "../../../../presentation/phrases.ts";
import { drawChange, drawOthers, ownTrack, placeTicks } from "../drawing/gap-rows.ts";
import { sampleSize } from "../drawing/legend.ts";
import type { Mark } from "../drawing/marks.ts";
import { formatViewBox, renderMarks } from "../drawing/svg.ts";
import { findHeadlineTopic, writeHeadline } from "../headline.ts";
import type { WordedText } from "../model/writer.ts";
import { findNamesInText } from "../names-in-text.ts";
import type {
  LegendMark,
  ReportChange,
  ReportList,
  ReportModel,
  ReportOthers,
  ReportPicture,
} from "../report-model.ts";
import { chooseReportLanguage } from "../words/language.ts";

/** Longer headlines are set smaller. */
const shortHeadline = 16;

/** The headline, under its topic. */
export function renderHeadline(model: ReportModel): SafeHtml | "" {
  const [headline, topic] = [writeHeadline(model), findHeadlineTopic(model)];
  if (headline === null) return "";
  const size = headline.text.length > shortHeadline ? "headline long" : "headline";
  return html`${topic === null ? "" : html`<p class="topic">${topic}</p>\n`}<h2 class="${size}"${renderLang(headline, model.language)}>${headline.text}</h2>\n`;
}

/** The words of the archetype, the largest differences, and the way to the step. */
export function renderOpeningPart({ summary, steps, values, language }: ReportModel): SafeHtml {
  const { archetype, highlights } = summary;
  const { texts } = chooseReportLanguage([language]);
  const lines = highlights.map(({ group, text }) => html`<li class="${group}">${renderNames(text, values)}</li>\n`);
  return html`${archetype === null ? "" : html`<p class="lead"${renderLang(archetype.summary, language)}>${archetype.summary.text}</p>\n`}${lines.length === 0 ? "" : html`<ul class="highlights">${lines}</ul>\n`}${(steps?.offers ?? []).length === 0 ? "" : html`<p><a class="go" href="#step">${texts.toStep}</a></p>`}`;
}

/**
 * A part of a page: a heading with notes, and the content beside it.
 * @param id of the heading
 * @param options `kind`: its class beside `part`; `anchor`: where links lead; `notes`: below the heading
 */
export function renderPart(
  id: string,
  title: string,
  content: SafeHtml,
  { kind, anchor, notes }: { readonly kind?: string; readonly anchor?: string; readonly notes?: SafeHtml } = {},
): SafeHtml {
  const className = kind === undefined ? "part" : `part ${kind}`;
  return html`<section class="${className}"${anchor === undefined ? "" : html` id="${anchor}"`} aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2>${notes === undefined ? "" : html`\n${notes}`}</div>
${content}
</section>`;
}

/** "In short", the name of the archetype or what it lies between, with its conditions, and what was answered. */
export function renderSummaryPart({ summary, introduction, language, values }: ReportModel): SafeHtml {
  const { title, sentences, silence, archetype } = summary;
  const { name = null, between = [], notes = [] } = archetype ?? {};
  const { colon } = chooseReportLanguage([language]).texts;
  const meanings = between.map(
    (each) => html`<p><b${renderLang(each.name, language)}>${each.name.text}</b>${colon}${each.text}</p>\n`,
  );
  const content = html`<div>${sentences.map((sentence) => html`<p>${renderNames(sentence, values)}</p>\n`)}${silence === null ? "" : html`<p>${silence}</p>\n`}${name === null ? "" : html`<details class="note archetype"><summary${renderLang(name, language)}>${name.text}</summary>${meanings}${notes.map((note) => html`<p>${note}</p>\n`)}</details>\n`}<p class="note">${introduction}</p></div>`;
  return renderPart("summary", title, content, { kind: "summary" });
}

function renderNames(sentence: string, values: ReportModel["values"]): SafeHtml {
  return html`${findNamesInText(sentence, values).map(({ text, isName }) => (isName ? html`<b>${text}</b>` : text))}`;
}

/** A note: its first sentence, and the others folded below it. A full stop after a number ends no sentence. */
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

/** The most wanted values. */
export function renderMostWantedPart({ mostWanted, values, language }: ReportModel): SafeHtml | "" {
  if (mostWanted === null) return "";
  const { title, note, entries, closeBehind } = mostWanted;
  const items = entries.map(({ valueId, text, portrait }) => {
    const value = values.find((each) => each.valueId === valueId);
    if (value === undefined) return "";
    const { name, goal } = value;
    return html`<li><h3${renderLang(name, language)}>${name.text}</h3>
<p class="goal"${renderLang(goal, language)}>${goal.text}</p>
${portrait === null ? "" : html`<p>${portrait.high} ${portrait.cost}</p>\n<p class="ask">${portrait.question}</p>\n`}${text === null ? "" : html`<p class="note">${text}</p>`}</li>
`;
  });
  const content = html`<div><ul class="wanted">${items}</ul>
${closeBehind === null ? "" : html`<p class="note close">${closeBehind.text}</p>`}</div>`;
  return renderPart("wanted", title, content, { notes: renderNote(note, language) });
}

/** Pairs of values that go together, and pairs that pull apart. */
export function renderPairsPart({ pairs, language }: ReportModel): SafeHtml | "" {
  if (pairs === null) return "";
  const { title, note, kinds } = pairs;
  const content = html`<div>${kinds.map(
    (kind) => html`<ul class="pairs">${kind.pairs.map(({ text }) => html`<li>${text}</li>\n`)}</ul>
<p class="note">${kind.note}</p>
`,
  )}</div>`;
  return renderPart("pairs", title, content, { notes: renderNote(note, language) });
}

/** The changes since an earlier session. */
export function renderChangePart({ change, scale, language }: ReportModel): SafeHtml | "" {
  if (change === null) return "";
  const ticks = placeTicks(scale);
  const tracks = change.entries.map((entry) => drawChange(entry, ticks));
  return renderTracksPart("change", change, tracks, [scale.lowest, scale.highest], language);
}

/** The ranks among other people. */
export function renderOthersPart({ others, language }: ReportModel): SafeHtml | "" {
  if (others === null) return "";
  const { less, more, entries } = others;
  const ends = [
    { text: less, language },
    { text: more, language },
  ] as const;
  return renderTracksPart("others", others, entries.map(drawOthers), ends, language);
}

/** Tracks with a sentence each. @param ends labels of both ends */
function renderTracksPart(
  id: "change" | "others",
  { title, note, entries, rest }: ReportChange | ReportOthers,
  tracks: readonly (readonly Mark[])[],
  ends: readonly [WordedText, WordedText],
  language: string,
): SafeHtml {
  const items = entries.map(({ text }, index) => {
    const marks = renderMarks(tracks[index] ?? []);
    return html`<li><svg viewBox="${formatViewBox(ownTrack.box)}" aria-hidden="true">${marks}</svg>${text}</li>\n`;
  });
  const content = html`<div class="tracks ${id}">${entries.length === 0 ? "" : html`${renderEnds(ends, language)}<ul>${items}</ul>\n`}${rest === null ? "" : html`<p>${rest}</p>`}</div>`;
  return renderPart(id, title, content, { notes: renderNote(note, language) });
}

/** Help for readers. The partner's words are in an unknown language: an empty `lang` says that it is not the page's. */
export function renderSupportPart({ support }: ReportModel): SafeHtml | "" {
  if (support === null) return "";
  return renderPart("support", support.title, html`<p class="lead" dir="auto" lang="">${support.text}</p>`);
}

/** Questions are numbered, the limits of the report are not. */
export function renderListPart(id: "questions" | "reading", part: ReportList | null): SafeHtml | "" {
  if (part === null) return "";
  const { title, entries } = part;
  const items = entries.map((entry) => html`<li>${entry}</li>\n`);
  const list = id === "questions" ? html`<ol class="numbered">${items}</ol>` : html`<ul class="plain">${items}</ul>`;
  return renderPart(id, title, list);
}

/** The labels of both ends of tracks. */
export function renderEnds([lowest, highest]: readonly [WordedText, WordedText], language: string): SafeHtml {
  return html`<p class="ends" dir="ltr" aria-hidden="true"><span${renderLang(lowest, language)}>${lowest.text}</span> <span${renderLang(highest, language)}>${highest.text}</span></p>`;
}

/** A text without line breaks between a number and its unit. */
export function keepUnits(text: string): string {
  return text.replace(/(?<=\d) /g, "\u00a0");
}

/** The attributes `lang` and `dir` of an element with this text; none if its language is the report's. */
export function renderLang({ language }: WordedText, report: string): SafeHtml | "" {
  return language === report ? "" : html` lang="${language}" dir="${findDirection(language)}"`;
}

/** The legend of a picture. @param drawSample of a mark, in a box of `sampleSize`; entries without marks are left out */
export function renderLegend(
  legend: ReportPicture["legend"],
  drawSample: (mark: LegendMark) => readonly Mark[],
): SafeHtml {
  const { width, height } = sampleSize;
  const entries = legend.map(({ text, mark }) => ({ text, marks: drawSample(mark) }));
  return html`<ul class="legend">${entries
    .filter(({ marks }) => marks.length > 0)
    .map(
      ({ text, marks }) =>
        html`<li><svg width="${width}" height="${height}" aria-hidden="true">${renderMarks(marks)}</svg>${text}</li>\n`,
    )}</ul>`;
}
