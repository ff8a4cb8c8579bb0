// Pieces that more than one page shows.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { HostedSection } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { findDirection } from "../../presentation/phrases.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { Appearance } from "./appearance.ts";
import type { Progress } from "./pagination.ts";

/** How far the person is. The script of the page rewrites it as answers are given. */
export function renderProgressBar({ answerCount, total }: Progress, { language }: Appearance): SafeHtml {
  const { texts, say } = language;
  const label = say(texts.progress, { given: answerCount, total });
  return html`<progress class="progress" max="${total}" value="${answerCount}" aria-label="${label}"></progress>`;
}

/** The stem of a section's statements. */
export function renderStem({ before, after }: HostedSection): string {
  // Text after the gap is shown, except a lone full stop.
  return /\p{L}/u.test(after) ? `${before} … ${after}`.trim() : `${before} …`.trim();
}

/** Attributes `lang` and `dir` of texts of the assessment, where their language is not the page's. */
export function renderLang(language: string, appearance: Appearance): SafeHtml | "" {
  if (language === appearance.language.tag) return "";
  return html` lang="${language}" dir="${findDirection(language)}"`;
}

/** The anchor of a statement; its first choice has the same with `-1` after it. */
export function formatAnchor(questionId: number): string {
  return `q-${questionId}`;
}

/** Whether answers are saved, as the script knows it. */
export function renderSaveState({ language: { texts } }: Appearance): SafeHtml {
  return html`<p class="steady save" data-save="idle"><span class="save-busy">${texts.saving}</span><span class="save-done">${texts.saved}</span></p>`;
}

/** Shown by the script while answers are not saved. */
export function renderSaveErrors({ language: { texts } }: Appearance): SafeHtml {
  return html`<div class="trouble" data-trouble aria-live="polite">
<p data-trouble-kind="notSaved" hidden>${texts.notSaved}</p>
<p data-trouble-kind="savedAgain" hidden>${texts.savedAgain}</p>
<p data-trouble-kind="outOfDate" hidden>${texts.outOfDate} <a href="">${texts.reload}</a></p>
</div>`;
}

/** The script sends unsaved answers of an earlier page with this form. */
export function renderPendingAnswers({ session, paths, csrfToken, appearance }: OpenBrowserSession): SafeHtml {
  return html`<form method="post" action="${paths.page(1)}" data-pending data-session="${session.sessionId}" data-start="${paths.start}" hidden>
<input type="hidden" name="csrfToken" value="${csrfToken}">
${renderSaveState(appearance)}
</form>
${renderSaveErrors(appearance)}`;
}
