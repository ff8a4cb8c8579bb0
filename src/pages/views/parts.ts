// Parts of several pages.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { HostedSection } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { findDirection } from "../../presentation/phrases.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { Appearance } from "./appearance.ts";
import type { Progress } from "./pagination.ts";

/** The progress. The script of the page updates it. */
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

/** The attributes `lang` and `dir` of texts of the assessment; none in the page's language. */
export function renderLang(language: string, appearance: Appearance): SafeHtml | "" {
  if (language === appearance.language.tag) return "";
  return html` lang="${language}" dir="${findDirection(language)}"`;
}

/** The anchor of a statement. That of its first choice ends in `-1`. */
export function formatAnchor(questionId: number): string {
  return `q-${questionId}`;
}

/** Whether answers are saved, set by the script. */
export function renderSaveState({ language: { texts } }: Appearance): SafeHtml {
  return html`<p class="steady save" data-save="idle"><span class="save-busy">${texts.saving}</span><span class="save-done">${texts.saved}</span></p>`;
}

/** Errors of saving, shown by the script. */
export function renderSaveErrors({ language: { texts } }: Appearance): SafeHtml {
  return html`<div class="trouble" data-trouble aria-live="polite">
<p data-trouble-kind="notSaved" hidden>${texts.notSaved}</p>
<p data-trouble-kind="savedAgain" hidden>${texts.savedAgain}</p>
<p data-trouble-kind="outOfDate" hidden>${texts.outOfDate} <a href="">${texts.reload}</a></p>
</div>`;
}

/** The form with which the script sends unsaved answers of an earlier page. */
export function renderPendingAnswers({ session, paths, csrfField, appearance }: OpenBrowserSession): SafeHtml {
  return html`<form method="post" action="${paths.page(1)}" data-pending data-session="${session.sessionId}" data-start="${paths.start}" hidden>
${csrfField}
${renderSaveState(appearance)}
</form>
${renderSaveErrors(appearance)}`;
}
