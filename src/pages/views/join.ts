// The page on which a person joins a group.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { OpenJoinCodeResponse } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { type Appearance, getPartnerName } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { renderLang } from "./parts.ts";

/** The page of a join code. */
export function renderJoinPage(
  { title, language, hasJoined }: OpenJoinCodeResponse,
  csrfField: SafeHtml,
  appearance: Appearance,
): Page {
  const { texts, say, tag } = appearance.language;
  const body = html`<main class="narrow">
<h1${renderLang(language, appearance)}>${title}</h1>
<p class="lead">${hasJoined ? texts.welcomeBack : texts.joinLead}</p>
<form method="post">
${csrfField}
<input type="hidden" name="language" value="${tag}">
<p class="actions"><button class="button">${hasJoined ? texts.resume : texts.join}</button></p>
</form>
<section>
<h2>${texts.useHeading}</h2>
<p>${say(texts.use, { partner: getPartnerName(appearance) })}</p>
<p>${texts.cookie}</p>
</section>
</main>`;
  return { title, body };
}
