// Pieces that more than one page shows.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { HostedSection } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { findDirection } from "../../presentation/phrases.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
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

/** Whether answers are saved, as the script knows it. */
export function saveState({ language: { texts } }: Appearance): SafeHtml {
  return html`<p class="steady save" data-save="idle"><span class="save-busy">${texts.saving}</span><span class="save-done">${texts.saved}</span></p>`;
}

/** Shown by the script while answers are not saved. */
export function troubles({ language: { texts } }: Appearance): SafeHtml {
  return html`<div class="trouble" data-trouble aria-live="polite">
<p data-trouble-kind="notSaved" hidden>${texts.notSaved}</p>
<p data-trouble-kind="savedAgain" hidden>${texts.savedAgain}</p>
<p data-trouble-kind="outOfDate" hidden>${texts.outOfDate} <a href="">${texts.reload}</a></p>
</div>`;
}

/** With this form the script saves what the person answered on a page that they left before it was saved. */
export function pendingAnswers({ session, paths, csrfToken, appearance }: OpenBrowserSession): SafeHtml {
  return html`<form method="post" action="${paths.page(1)}" data-pending data-session="${session.sessionId}" data-start="${paths.start}" hidden>
<input type="hidden" name="csrfToken" value="${csrfToken}">
${saveState(appearance)}
</form>
${troubles(appearance)}`;
}
