// The picture that the person may share: the way to make it, or what is shared and the way to take it back.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { OwnPage } from "../report-renderer.ts";
import { chooseReportLanguage } from "../words/language.ts";

export function renderCardPart({ path, token, shared }: NonNullable<OwnPage["card"]>, language: string): SafeHtml {
  const { texts, say, languageName } = chooseReportLanguage([language]);
  const shown =
    shared === null
      ? html`<p><button name="go" value="share">${texts.cardMake}</button></p>`
      : html`<p><a href="${shared.url}"><img class="card" src="${new URL(shared.url).pathname}/picture.png" width="1200" height="630" alt="${texts.cardTitle}"></a></p>
<p><label for="address">${texts.cardAddress}</label><input id="address" value="${shared.url}" readonly></p>
<p>${shared.language === language ? "" : html`<button name="go" value="share">${say(texts.cardTranslate, { language: languageName(language) })}</button> `}<button name="go" value="remove">${texts.cardRemove}</button></p>`;
  return html`<section class="part steps" id="share" aria-labelledby="card">
<div class="head"><h2 id="card">${texts.cardTitle}</h2>
<p class="note">${texts.cardNote}</p></div>
<form method="post" action="${path}">
<input type="hidden" name="csrfToken" value="${token}">
<input type="hidden" name="language" value="${language}">
${shown}
</form>
</section>
`;
}
