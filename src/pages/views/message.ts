// Pages with one message: the end, and errors.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { ErrorPage } from "../page-error.ts";
import type { Appearance } from "./appearance.ts";
import type { Page } from "./layout.ts";

export interface CompletedView {
  /** The address that leads to the partner. */
  readonly onward: string;
  /** The address of the person's report; undefined if the partner does not show it. */
  readonly report: string | undefined;
}

/** The page of a completed session. */
export function completedPage({ onward, report }: CompletedView, appearance: Appearance): Page {
  const { texts, say } = appearance.language;
  const { displayName: partner, supportText } = appearance.branding;
  const label = partner === undefined ? texts.continueOn : say(texts.continueTo, { partner });
  const body = html`<main class="narrow message done">
<h1>${texts.doneTitle}</h1>
<p class="lead">${report === undefined ? texts.done : texts.resultsWait}</p>
<p class="actions">${report === undefined ? "" : html`<a class="button" href="${report}">${texts.seeResults}</a> `}<a class="${report === undefined ? "button" : "quiet"}" href="${onward}">${label}</a></p>
${supportText === undefined ? "" : html`<h2>${texts.supportTitle}</h2>\n<p dir="auto" lang="">${supportText}</p>`}
</main>`;
  return { title: texts.doneTitle, body };
}

/** What a person can do about an error: follow a link, or send their form once more with all that is in it. */
export type WayOut =
  | { readonly kind: "link"; readonly to: string; readonly label: string }
  | { readonly kind: "form"; readonly to: string; readonly fields: Readonly<Record<string, string | undefined>> };

export interface ErrorPageView {
  readonly page: ErrorPage;
  readonly requestId: string;
  readonly wayOut: WayOut | undefined;
}

/** The page of an error. */
export function errorPage({ page, requestId, wayOut }: ErrorPageView, appearance: Appearance): Page {
  const { texts } = appearance.language;
  const title = texts[`${page}Title`];
  const body = html`<main class="narrow message">
<h1>${title}</h1>
<p class="lead">${texts[page]}</p>
${wayOut === undefined ? "" : wayOutOf(wayOut, texts.tryAgain)}
${page === "defect" ? number(requestId, texts.requestNumber) : ""}
</main>`;
  return { title, body };
}

function wayOutOf(wayOut: WayOut, tryAgain: string): SafeHtml {
  if (wayOut.kind === "link") {
    return html`<p class="actions"><a class="button" href="${wayOut.to}">${wayOut.label}</a></p>`;
  }
  const fields = Object.entries(wayOut.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${wayOut.to}">${fields}
<p class="actions"><button class="button">${tryAgain}</button></p>
</form>`;
}

function number(requestId: string, words: string): SafeHtml {
  return html`<p class="hint">${words} <code>${requestId}</code></p>`;
}
