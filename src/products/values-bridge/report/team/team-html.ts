// The team report as one HTML file: no script, no request, in the style of reports.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { ReportBranding } from "../branding.ts";
import { toTeamCircle } from "../drawing/circle.ts";
import { renderCircle } from "../html/circle-part.ts";
import { keepUnits, renderLang, renderListPart, renderNote, renderPart } from "../html/parts.ts";
import { createPolicy, renderBrand, renderHtmlFile, renderStyle } from "../html/style.ts";
import { chooseReportLanguage } from "../words/language.ts";
import type { TeamReportModel, TeamSection } from "./team-model.ts";

/** Sizes of names in units of the circle, on wide pages and on phones. */
const nameSettings = { wide: { size: 16, halfWidth: 360 }, narrow: { size: 24, halfWidth: 380 } };

/** The file. Its policy allows its own style, font and logo only. */
export function renderTeamHtml(model: TeamReportModel, branding: ReportBranding): string {
  const { language, label, title, introduction, picture, sections, workshop, reading } = model;
  const style = renderStyle(branding);
  const workshopSteps = html`<ol class="plain">${workshop.entries.map((entry) => html`<li>${entry}</li>\n`)}</ol>`;
  const body = html`<header class="brand">${renderBrand(branding, model)}</header>
<main class="report team">
<div class="cover">
<div class="opening">
<p class="note">${title}</p>
<h1 class="group"><bdi>${label}</bdi></h1>
<p class="lead">${introduction}</p>
</div>
<section class="circle-part">
${renderCircle(picture, toTeamCircle(model), nameSettings)}
${renderNote(picture.introduction, language)}
</section>
</div>
${sections.map((section) => renderSectionPart(section, language))}
${renderPart("workshop", workshop.title, workshopSteps)}
${renderListPart("reading", reading)}
</main>`;
  return renderHtmlFile({ language, title, policy: createPolicy(style, null), style }, body);
}

function renderSectionPart({ topic, title, note, entries, none }: TeamSection, language: string): SafeHtml {
  const { colon } = chooseReportLanguage([language]).texts;
  if (entries.length === 0) return html`<section class="part"><p><b>${title}</b>${colon}${none}</p></section>\n`;
  const list = entries.map(
    ({ name, text, goal, question }) =>
      html`<li><b${renderLang(name, language)}>${name.text}</b>${text === null ? "" : `${colon}${keepUnits(text)}`}
<p class="note"${renderLang(goal, language)}>${goal.text}</p>${question === null ? "" : html`<p>${question}</p>`}</li>\n`,
  );
  return renderPart(topic, title, html`<ul class="plain">${list}</ul>`, { notes: renderNote(note, language) });
}
