// The public page of a picture that a person shares.
import { html } from "@remix-run/html-template";
import type { OpenCardResponse } from "../../gen/assessment/v1/report_service_pb.ts";
import type { Appearance } from "./appearance.ts";
import type { Page } from "./layout.ts";

/** @param url absolute, for link previews @param path the same without the origin */
export function renderCardPage(card: OpenCardResponse, url: string, path: string, appearance: Appearance): Page {
  const { title, description } = card;
  const { displayName: partner } = appearance.branding;
  const picture = `${url}/picture.png`;
  const properties = [
    ["og:type", "website"],
    ["og:title", title],
    ["og:description", appearance.language.texts.cardHint],
    ["og:url", url],
    ["og:image", picture],
    ["og:image:type", "image/png"],
    ["og:image:width", "1200"],
    ["og:image:height", "630"],
    ["og:image:alt", description],
    ["og:locale", card.language],
    ["og:site_name", partner],
  ].map(([name, content]) => content && html`<meta property="${name}" content="${content}">\n`);
  const body = html`<main class="narrow message">
<h1>${title}</h1>
<p><img class="card" src="${path}/picture.png" width="1200" height="630" alt="${description}"></p>
<p class="hint">${appearance.language.texts.cardHint}</p>
</main>`;
  return {
    title,
    body,
    head: html`${properties.filter((each) => typeof each === "object")}<meta name="twitter:card" content="summary_large_image">`,
  };
}
