// The team report as one HTML file: no script, no request, in the style of reports.
import { html, type SafeHtml } from "@remix-run/html-template";
import { embedLogo, type ReportBranding, toBrandText, toVisibleLine } from "../branding.ts";
import type { NameSetting } from "../drawing/circle.ts";
import { drawCircleSample } from "../drawing/legend.ts";
import { formatViewBox, renderHatchPattern, renderMarks } from "../drawing/svg.ts";
import { shortenName } from "../drawing/wrap.ts";
import { keepUnits, renderLang, renderLegend, renderNote } from "../html/parts.ts";
import { createPolicy, renderHtmlFile, renderStyle } from "../html/style.ts";
import { chooseReportLanguage } from "../words/language.ts";
import { renderTeamCircle } from "./team-circle.ts";
import type { TeamReportModel, TeamSection } from "./team-model.ts";

/** The file. Its policy lets in nothing but its own style, font and logo. */
export function renderTeamHtml(model: TeamReportModel, branding: ReportBranding): string {
  const { language, label, title, introduction, picture, sections, workshop, reading } = model;
  const style = renderStyle(branding);
  const logo = embedLogo(branding);
  const words = toBrandText(branding, model);
  const body = html`<header class="brand">${logo === null ? html`<p><bdi>${words}</bdi></p>` : html`<img src="${logo}" alt="${toVisibleLine(branding.displayName) ?? ""}">`}</header>
<main class="report team">
<div class="cover">
<div class="opening">
<p class="note">${title}</p>
<h1 class="group"><bdi>${label}</bdi></h1>
<p class="lead">${introduction}</p>
</div>
<section class="circle-part">
<svg class="marks" aria-hidden="true"><defs>${renderHatchPattern()}</defs></svg>
<figure class="circle">${view(model, "wide", { size: 16, halfWidth: 360 })}
${view(model, "narrow", { size: 24, halfWidth: 380 })}</figure>
${renderLegend(picture.legend, ({ mark }) => drawCircleSample(mark))}
${renderNote(picture.introduction, language)}
</section>
</div>
${sections.map((section) => renderSectionPart(section, language))}
<section class="part"><div class="head"><h2>${workshop.title}</h2></div>
<ol class="plain">${workshop.entries.map((entry) => html`<li>${entry}</li>\n`)}</ol></section>
<section class="part"><div class="head"><h2>${reading.title}</h2></div>
<ul class="plain">${reading.entries.map((entry) => html`<li>${entry}</li>\n`)}</ul></section>
</main>`;
  return renderHtmlFile({ language, title, policy: createPolicy(style, null), style }, body);
}

function view({ values, picture }: TeamReportModel, kind: "wide" | "narrow", setting: NameSetting): SafeHtml {
  // The sections below list what this group wants, and its differences, with whole names.
  const columns =
    kind === "wide"
      ? values
      : values.map((value) => ({ ...value, name: { ...value.name, text: shortenName(value.name.text) } }));
  const { petals, labels, box } = renderTeamCircle(columns, setting);
  return html`<svg class="${kind}" viewBox="${formatViewBox(box)}" role="img" aria-label="${picture.description}">${renderMarks([...petals, ...labels])}</svg>`;
}

function renderSectionPart({ title, note, entries, none }: TeamSection, language: string): SafeHtml {
  const { colon } = chooseReportLanguage([language]).texts;
  if (entries.length === 0) return html`<section class="part"><p><b>${title}</b>${colon}${none}</p></section>\n`;
  const list = entries.map(
    ({ name, text, goal, question }) =>
      html`<li><b${renderLang(name, language)}>${name.text}</b>${text === null ? "" : `${colon}${keepUnits(text)}`}
<p class="note"${renderLang(goal, language)}>${goal.text}</p>${question === null ? "" : html`<p>${question}</p>`}</li>\n`,
  );
  return html`<section class="part"><div class="head"><h2>${title}</h2>
${renderNote(note, language)}</div>
<ul class="plain">${list}</ul></section>
`;
}
