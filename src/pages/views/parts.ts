// Pieces that more than one page shows.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { HostedSection } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { findDirection } from "../../presentation/phrases.ts";
import type { Appearance } from "./appearance.ts";
import type { Progress } from "./pagination.ts";

/** How far the person is. The script of the page rewrites it as answers are given. */
export function progressBar({ answerCount, total }: Progress, { language: { texts, say } }: Appearance): SafeHtml {
  const label = say(texts.progress, { given: answerCount, total });
  return html`<progress class="progress" max="${total}" value="${answerCount}" aria-label="${label}"></progress>`;
}

/** The beginning of a sentence that every statement of a section completes. */
export function renderFrame({ before, after }: HostedSection): string {
  // A full stop alone after the gap is omitted; words are shown.
  return /\p{L}/u.test(after) ? `${before} … ${after}`.trim() : `${before} …`.trim();
}

/** Attributes of an element with texts of the assessment, where they are in another language than the page. */
export function wordedIn(language: string, appearance: Appearance): SafeHtml | "" {
  if (language === appearance.language.tag) return "";
  return html` lang="${language}" dir="${findDirection(language)}"`;
}

/** The anchor of a statement; its first choice has the same with `-1` after it. */
export function formatAnchor(questionId: number): string {
  return `q-${questionId}`;
}
