// The start page: introduces the assessment, and starts or resumes it.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { GetHostedSessionResponse } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import { type Appearance, getPartnerName } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { renderLang, renderPendingAnswers, renderProgressBar, renderStem } from "./parts.ts";

/** The start page. */
export function renderStartPage(session: OpenBrowserSession): Page {
  const { title } = session.session;
  const body = html`<main class="narrow">
${renderPendingAnswers(session)}
${session.progress.answerCount === 0 ? renderIntroduction(session) : renderWelcomeBack(session)}
${renderUseOfAnswers(session)}
</main>`;
  return { title, body };
}

function renderIntroduction({ session, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, formatCount } = appearance.language;
  return html`<h1${renderLang(session.language, appearance)}>${session.title}</h1>
<p class="lead">${texts.lead}</p>
<ul class="sizes">
<li>${formatCount(texts.statementCount, progress.total)}</li>
<li>${formatCount(texts.duration, progress.minutes)}</li>
</ul>
<ul class="facts">
<li>${texts.savedAsYouGo}</li>
<li>${texts.noWrongAnswers}</li>
</ul>
<p class="actions"><a class="button" href="${paths.page(1)}">${texts.start}</a></p>
${renderSections(session, appearance)}`;
}

function renderWelcomeBack({ session, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, say, formatCount } = appearance.language;
  const { answerCount, total, minutes, nextPage } = progress;
  const [text, href, label] =
    nextPage === undefined
      ? [texts.allAnswered, paths.review, texts.toReview]
      : [
          `${say(texts.resumed, { given: answerCount, total })} ${formatCount(texts.remaining, minutes)}`,
          paths.page(nextPage),
          texts.resume,
        ];
  return html`<p class="eyebrow"${renderLang(session.language, appearance)}>${session.title}</p>
<h1>${texts.welcomeBack}</h1>
<p class="lead">${text}</p>
${renderProgressBar(progress, appearance)}
<p class="actions"><a class="button" href="${href}">${label}</a></p>`;
}

/** The stems of the sections: each statement is asked once for each. */
function renderSections({ sections, language }: GetHostedSessionResponse, appearance: Appearance): SafeHtml | "" {
  const { texts } = appearance.language;
  if (sections.length < 2) return "";
  const items = sections.map((section) => html`<li${renderLang(language, appearance)}>${renderStem(section)}</li>`);
  return html`<section>
<h2>${texts.partsHeading}</h2>
<p>${texts.parts}</p>
<ol class="frames">${items}</ol>
</section>`;
}

function renderUseOfAnswers({ session, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, say } = appearance.language;
  const comparison = session.joinsNorms
    ? html`
<p>${texts.comparison} <a href="${paths.comparison}">${texts.comparisonLink}</a></p>`
    : "";
  return html`<section>
<h2>${texts.useHeading}</h2>
<p>${say(texts.use, { partner: getPartnerName(appearance) })}</p>${comparison}
<p>${texts.cookie}</p>
</section>`;
}
