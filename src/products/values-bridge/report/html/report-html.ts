// A report as HTML: a file, or a page of the service.
import { html, type SafeHtml } from "@remix-run/html-template";
import { embedLogo, linkLogo, type ReportBranding, toVisibleLine } from "../branding.ts";
import { listPosterValues } from "../headline.ts";
import type { ReportModel } from "../report-model.ts";
import type { OwnPage } from "../report-renderer.ts";
import { chooseReportLanguage } from "../words/language.ts";
import { renderCardPart } from "./card-part.ts";
import { renderCirclePart } from "./circle-part.ts";
import { renderDifferencesPart } from "./differences-part.ts";
import {
  renderChangePart,
  renderContentsPart,
  renderHeadline,
  renderLang,
  renderListPart,
  renderMostWantedPart,
  renderOpeningPart,
  renderOthersPart,
  renderPairsPart,
  renderSummaryPart,
  renderSupportPart,
} from "./parts.ts";
import { renderStepsPart } from "./steps-part.ts";
import { createPolicy, renderBrand, renderHtmlFile, renderStyle } from "./style.ts";

/** The `main` element of a report. */
function renderMain(model: ReportModel, page?: OwnPage): SafeHtml {
  const { title, language, questions, reading, sharing, source } = model;
  return html`<main class="report">
<div class="cover">
<div class="opening">
<h1${renderLang(title, language)}>${title.text}</h1>
${renderCover(model)}${renderHeadline(model)}${renderOpeningPart(model)}
</div>
${renderCirclePart(model)}
</div>
${renderContentsPart(model)}
${renderSummaryPart(model)}
${renderStepsPart(model, page?.step ?? null)}
${renderMostWantedPart(model)}
${renderDifferencesPart(model)}
${renderChangePart(model)}
${renderOthersPart(model)}
${renderPairsPart(model)}${renderListPart("questions", questions)}
${renderCardPart(model, page?.card ?? null)}
${renderSupportPart(model)}
${renderListPart("reading", reading)}
<div class="foot">${[...sharing, ...source].map((sentence) => html`<p>${sentence}</p>\n`)}</div>
</main>`;
}

/** Name and day. */
function renderCover({ cover }: ReportModel): SafeHtml | "" {
  if (cover === null) return "";
  const { name, date } = cover;
  return html`<p class="for">${name === null ? "" : html`<bdi>${name}</bdi>`}${name === null || date === null ? "" : ", "}${date === null ? "" : html`<span class="day">${date}</span>`}</p>\n`;
}

/** A report as one file: no script, no request, and a policy that forbids both. @param page of a page of the service */
export function renderReportHtml(model: ReportModel, branding: ReportBranding, page?: OwnPage): string {
  const { title, language } = model;
  const style = renderStyle(branding);
  const file = { language, title: title.text, policy: createContentPolicy(branding, page), style };
  return renderHtmlFile(file, html`${renderHead(branding, model, page)}\n${renderMain(model, page)}`);
}

/** The content security policy that the same report needs. */
export function createContentPolicy(branding: ReportBranding, page?: OwnPage): string {
  const hasForm = (page?.step ?? page?.card ?? null) !== null;
  const logo = page === undefined ? null : linkLogo(branding);
  return createPolicy(renderStyle(branding), logo, { hasForm, hasPicture: (page?.card?.shared ?? null) !== null });
}

function renderHead(branding: ReportBranding, model: ReportModel, page: OwnPage | undefined): SafeHtml {
  const { language } = model;
  const name = toVisibleLine(branding.displayName);
  const { texts, say } = chooseReportLanguage([language]);
  const brand = renderBrand(branding, model, embedLogo(branding) ?? (page === undefined ? null : linkLogo(branding)));
  const posterPath = listPosterValues(model).length > 0 ? page?.posterPath : null;
  const ways = [
    [page?.pdfPath, texts.savePdf],
    [posterPath, texts.savePoster],
    [posterPath && `${posterPath}?paper=a3`, `${texts.savePoster} A3`],
    [posterPath && `${posterPath}?paper=square`, `${texts.savePoster}${texts.colon}${texts.posterSquare}`],
    [page?.onwardPath, name === null ? texts.onward : say(texts.onwardTo, { partner: name })],
  ].map(([path, words]) => (path == null ? "" : html`<a class="save" href="${path}">${words}</a>`));
  const test = page?.isTest === true ? html`<p class="test">${texts.testData}</p>` : "";
  return html`<header class="brand">${brand}${test}${page === undefined ? "" : html`<span class="ways">${ways}</span>`}</header>`;
}
