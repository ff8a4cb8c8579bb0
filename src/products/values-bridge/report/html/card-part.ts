// The picture that the person may share: a button that makes it, or its address and a button that removes it.
import { html, type SafeHtml } from "@remix-run/html-template";
import { listPosterValues } from "../headline.ts";
import type { ReportModel } from "../report-model.ts";
import type { OwnPage } from "../report-renderer.ts";
import { chooseReportLanguage } from "../words/language.ts";
import { renderPart } from "./parts.ts";

/** The part with that picture; empty without a form, and for answers that choose no value. */
export function renderCardPart(model: ReportModel, htmlForm: OwnPage["card"]): SafeHtml | "" {
  if (htmlForm === null || listPosterValues(model).length === 0) return "";
  const { language } = model;
  const { path, token, shared } = htmlForm;
  const { texts, say, findLanguageName } = chooseReportLanguage([language]);
  const shown =
    shared === null
      ? html`<p><button name="go" value="share">${texts.cardMake}</button></p>`
      : html`<p><a href="${shared.url}"><img class="card" src="${new URL(shared.url).pathname}/picture.png" width="1200" height="630" alt="${texts.cardTitle}"></a></p>
<p><label for="address">${texts.cardAddress}</label><input id="address" value="${shared.url}" readonly></p>
<p>${shared.language === language ? "" : html`<button name="go" value="share">${say(texts.cardTranslate, { language: findLanguageName(language) })}</button> `}<button name="go" value="remove">${texts.cardRemove}</button></p>`;
  const content = html`<form method="post" action="${path}">
<input type="hidden" name="csrfToken" value="${token}">
<input type="hidden" name="language" value="${language}">
${shown}
</form>`;
  const notes = html`<p class="note">${texts.cardNote}</p>`;
  return renderPart("card", texts.cardTitle, content, { kind: "steps", anchor: "share", notes });
}
