// Where a person arrives: what this is, and a way in, or back to where they left off.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { GetHostedSessionResponse } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import { type Appearance, partnerName } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { pendingAnswers, progressBar, renderFrame, wordedIn } from "./parts.ts";

/** The start page. */
export function startPage(session: OpenBrowserSession): Page {
  const { title } = session.session;
  const body = html`<main class="narrow">
${pendingAnswers(session)}
${session.progress.answerCount === 0 ? introduction(session) : returning(session)}
${useOfAnswers(session)}
</main>`;
  return { title, body };
}

function introduction({ session, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, count } = appearance.language;
  return html`<h1${wordedIn(session.language, appearance)}>${session.title}</h1>
<p class="lead">${texts.lead}</p>
<ul class="sizes">
<li>${count(texts.statementCount, progress.total)}</li>
<li>${count(texts.duration, progress.minutes)}</li>
</ul>
<ul class="facts">
<li>${texts.savedAsYouGo}</li>
<li>${texts.noWrongAnswers}</li>
</ul>
<p class="actions"><a class="button" href="${paths.page(1)}">${texts.start}</a></p>
${parts(session, appearance)}`;
}

function returning({ session, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, say, count } = appearance.language;
  const { answerCount, total, minutes, nextPage } = progress;
  const [text, href, label] =
    nextPage === undefined
      ? [texts.allAnswered, paths.review, texts.toReview]
      : [
          `${say(texts.resumed, { given: answerCount, total })} ${count(texts.remaining, minutes)}`,
          paths.page(nextPage),
          texts.resume,
        ];
  return html`<p class="eyebrow"${wordedIn(session.language, appearance)}>${session.title}</p>
<h1>${texts.welcomeBack}</h1>
<p class="lead">${text}</p>
${progressBar(progress, appearance)}
<p class="actions"><a class="button" href="${href}">${label}</a></p>`;
}

/** The beginnings of the sentences, so that nobody wonders why statements come twice. */
function parts({ sections, language }: GetHostedSessionResponse, appearance: Appearance): SafeHtml | "" {
  const { texts } = appearance.language;
  if (sections.length < 2) return "";
  const items = sections.map((section) => html`<li${wordedIn(language, appearance)}>${renderFrame(section)}</li>`);
  return html`<section>
<h2>${texts.partsHeading}</h2>
<p>${texts.parts}</p>
<ol class="frames">${items}</ol>
</section>`;
}

function useOfAnswers({ session, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, say } = appearance.language;
  const comparison = session.joinsNorms
    ? html`
<p>${texts.comparison} <a href="${paths.comparison}">${texts.comparisonLink}</a></p>`
    : "";
  return html`<section>
<h2>${texts.useHeading}</h2>
<p>${say(texts.use, { partner: partnerName(appearance) })}</p>${comparison}
<p>${texts.cookie}</p>
</section>`;
}
