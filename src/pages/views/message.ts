// Pages with one message: completion and errors.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { ErrorPage } from "../page-error.ts";
import type { Appearance } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { estimateMinutes } from "./pagination.ts";

/** The page of a completed session. @param circle address of its image; undefined: there is none */
export function renderCompletedPage(openSession: OpenBrowserSession, circle?: string): Page {
  const { session, offersReport, paths, appearance } = openSession;
  const { texts, say } = appearance.language;
  const { displayName: partner, supportText } = appearance.branding;
  const label = partner === undefined ? texts.continueOn : say(texts.continueTo, { partner });
  const picture =
    circle && html`<p><img class="circle" src="${circle}" width="240" height="240" alt="${texts.circle}"></p>\n`;
  // The circle takes the place of a tick.
  const body = html`<main class="narrow message done${circle === undefined ? " tick" : ""}">
<h1>${texts.doneTitle}</h1>
<p class="lead">${offersReport ? texts.resultsWait : texts.done}</p>
${picture ?? ""}<p class="actions">${offersReport ? html`<a class="button" href="${paths.report}">${texts.seeResults}</a> ` : ""}<a class="${offersReport ? "quiet" : "button"}" href="${paths.onward}">${label}</a></p>
${session.furtherStatements === 0 ? "" : renderFurtherForm(openSession)}
${supportText === undefined ? "" : html`<h2>${texts.supportTitle}</h2>\n<p dir="auto" lang="">${supportText}</p>`}
</main>`;
  return { title: texts.doneTitle, body, onward: paths.onward, imageUrl: circle };
}

function renderFurtherForm({ session, paths, csrfField, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, formatCount } = appearance.language;
  const duration = formatCount(texts.duration, estimateMinutes(session.furtherStatements));
  return html`<p>${texts.furtherWhy} ${duration}.</p>
<form method="post" action="${paths.further}">
${csrfField}
<p class="actions"><button class="quiet">${texts.answerFurther}</button></p>
</form>`;
}

/** The action for an error: a link, or the same form once more. */
export type ErrorAction =
  | { readonly kind: "link"; readonly to: string; readonly label: string }
  | { readonly kind: "form"; readonly to: string; readonly fields: Readonly<Record<string, string | undefined>> };

/** The page of an error. */
export function renderErrorPage(
  page: ErrorPage,
  requestId: string,
  action: ErrorAction | undefined,
  appearance: Appearance,
): Page {
  const { texts } = appearance.language;
  const title = texts[`${page}Title`];
  const body = html`<main class="narrow message">
<h1>${title}</h1>
<p class="lead">${texts[page]}</p>
${action === undefined ? "" : renderErrorAction(action, texts.tryAgain)}
${page === "defect" ? html`<p class="hint">${texts.requestNumber} <code>${requestId}</code></p>` : ""}
</main>`;
  return { title, body };
}

function renderErrorAction(action: ErrorAction, tryAgain: string): SafeHtml {
  if (action.kind === "link") {
    return html`<p class="actions"><a class="button" href="${action.to}">${action.label}</a></p>`;
  }
  const fields = Object.entries(action.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action.to}">${fields}
<p class="actions"><button class="button">${tryAgain}</button></p>
</form>`;
}
