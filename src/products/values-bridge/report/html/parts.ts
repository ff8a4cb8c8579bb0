// The parts of a report that are texts.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { ReportList, ReportModel, ReportMostWanted, ReportPairs, ReportSummary } from "../report-model.ts";
import { wordedIn } from "./worded.ts";

/** "In short". */
export function summaryPart({ title, sentences, silence, archetype }: ReportSummary, language: string): SafeHtml {
  return html`<section class="part summary" aria-labelledby="summary">
<h2 id="summary">${title}</h2>
${sentences.map((sentence) => html`<p class="said">${sentence}</p>\n`)}${silence === null ? "" : html`<p>${silence}</p>\n`}${archetype === null ? "" : archetypeOf(archetype, language)}</section>`;
}

function archetypeOf({ name, summary, notes }: NonNullable<ReportSummary["archetype"]>, language: string): SafeHtml {
  return html`<div class="archetype">
${name === null ? "" : html`<h3${wordedIn(name, language)}>${name.text}</h3>\n`}<p${wordedIn(summary, language)}>${summary.text}</p>
${notes.map((note) => html`<p class="note">${note}</p>\n`)}</div>
`;
}

/** What is wanted most. */
export function mostWantedPart(
  { title, note, entries }: ReportMostWanted,
  { values, language }: ReportModel,
): SafeHtml {
  const items = entries.map(({ valueId, text }) => {
    const value = values.find((each) => each.valueId === valueId);
    if (value === undefined) return "";
    const { name, goal } = value;
    return html`<li><h3${wordedIn(name, language)}>${name.text}</h3>
<p${wordedIn(goal, language)}>${goal.text}</p>
${text === null ? "" : html`<p>${text}</p>`}</li>
`;
  });
  return html`<section class="part" aria-labelledby="wanted">
<h2 id="wanted">${title}</h2>
<p class="note">${note}</p>
<ul class="wanted">${items}</ul>
</section>`;
}

/** Pairs and questions side by side; nothing where there are neither. */
export function pairsAndQuestions(pairs: ReportPairs | null, questions: ReportList | null): SafeHtml | "" {
  if (pairs === null && questions === null) return "";
  return html`<div class="pair-of-parts">${pairs === null ? "" : pairsPart(pairs)}${questions === null ? "" : listPart("questions", questions)}</div>`;
}

function pairsPart({ title, note, kinds }: ReportPairs): SafeHtml {
  return html`<section class="part" aria-labelledby="pairs">
<h2 id="pairs">${title}</h2>
<p class="note">${note}</p>
${kinds.map(
  (kind) => html`<ul class="pairs">${kind.pairs.map(({ text }) => html`<li>${text}</li>\n`)}</ul>
<p class="note">${kind.note}</p>
`,
)}</section>
`;
}

/** Questions are counted, what is to be read is not. */
export function listPart(id: "questions" | "reading", { title, entries }: ReportList): SafeHtml {
  const items = entries.map((entry) => html`<li>${entry}</li>\n`);
  const list = id === "questions" ? html`<ol class="numbered">${items}</ol>` : html`<ul class="plain">${items}</ul>`;
  return html`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${list}
</section>`;
}
