// A report as HTML: the body for pages of ours, and a file of its own.
import { html, type SafeHtml } from "@remix-run/html-template";
import { directionOf } from "../../../contract/phrases.ts";
import { cleanName, embeddedLogo, type ReportBranding } from "../branding.ts";
import type { ReportModel } from "../report-model.ts";
import { reportLanguageFor } from "../words/language.ts";
import { circlePart } from "./circle-part.ts";
import { differencesPart } from "./differences-part.ts";
import { listPart, mostWantedPart, pairsAndQuestions, summaryPart } from "./parts.ts";
import { reportPolicy, reportStyle } from "./style.ts";
import { wordedIn } from "./worded.ts";

/** All of a report but its frame: a `main` element that the style of reports lays out. */
export function reportMain(model: ReportModel): SafeHtml {
  const { title, introduction, summary, picture, mostWanted, pairs, questions, reading, language } = model;
  return html`<main class="report">
<div class="sheet">
<h1${wordedIn(title, language)}>${title.text}</h1>
<p class="lead">${introduction}</p>
${summaryPart(summary, language)}
${picture === null ? "" : circlePart(model, picture)}
${mostWanted === null ? "" : mostWantedPart(mostWanted, model)}
</div>
${differencesPart(model)}
${pairsAndQuestions(pairs, questions)}
${listPart("reading", reading)}
<div class="foot">${[...model.sharing, ...model.source].map((sentence) => html`<p>${sentence}</p>\n`)}</div>
</main>`;
}

/** A report as one file: no script, no request, and a policy that says so. */
export function reportHtml(model: ReportModel, branding: ReportBranding): string {
  const { title, language } = model;
  const style = reportStyle(branding);
  return String(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy(style)}">
<title>${title.text}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<style>${html.raw`${style}`}</style>
</head>
<body>
${brand(branding, language)}
${reportMain(model)}
</body>
</html>
`);
}

function brand(branding: ReportBranding, language: string): SafeHtml {
  const name = cleanName(branding.displayName);
  const logo = embeddedLogo(branding);
  if (logo !== null) return html`<header class="brand"><img src="${logo}" alt="${name ?? ""}"></header>`;
  return html`<header class="brand"><p><bdi>${name ?? reportLanguageFor([language]).texts.neutralHead}</bdi></p></header>`;
}
