// The review page: unanswered statements, all answers, and the button that completes the session.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import { getPartnerName } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { listUnanswered, type QuestionPage } from "./pagination.ts";
import { formatAnchor, renderLang, renderPendingAnswers, renderProgressBar, renderStem } from "./parts.ts";

/** Most listed statements: more would discourage. */
const maxListed = 10;

/** The review page. */
export function renderReviewPage(openSession: OpenBrowserSession): Page {
  const { appearance, progress, session } = openSession;
  const { texts } = appearance.language;
  const { title, language } = session;
  const isComplete = progress.nextPage === undefined;
  const heading = isComplete ? texts.review : texts.reviewMissing;
  const body = html`<main class="narrow">
<p class="eyebrow"${renderLang(language, appearance)}>${title}</p>
<h1>${heading}</h1>
${renderPendingAnswers(openSession)}
${isComplete ? renderFinishForm(openSession) : renderUnanswered(openSession)}
${renderAllAnswers(openSession)}
</main>`;
  return { title: `${heading} · ${title}`, body, submitsToOtherSite: isComplete };
}

function renderFinishForm(openSession: OpenBrowserSession): SafeHtml {
  const { session, offersReport, progress, paths, csrfField, appearance } = openSession;
  const { texts, say } = appearance.language;
  const finishThenLeave = session.furtherStatements > 0 ? texts.finishThenChoose : texts.finishHelp;
  return html`<p class="lead">${say(texts.complete, { total: progress.total })}</p>
${renderProgressBar(progress, appearance)}
<p>${say(offersReport ? texts.finishThenResults : finishThenLeave, { partner: getPartnerName(appearance) })}</p>
<form method="post" action="${paths.finish}" data-once="${texts.finishing}">
${csrfField}
<p class="actions"><button class="button">${texts.finish}</button></p>
</form>`;
}

function renderUnanswered({ session, pages, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, formatCount } = appearance.language;
  const unansweredStatements = pages.flatMap((page) =>
    listUnanswered(page).map((statement) => ({ statement, path: paths.page(page.number), section: page.section })),
  );
  const links = unansweredStatements.slice(0, maxListed).map(({ statement, path, section }) => {
    const sentence = `${section.before} ${statement.text}${section.after}`;
    return html`<li><a href="${path}#${formatAnchor(statement.questionId)}-1">${sentence}</a></li>`;
  });
  const more = unansweredStatements.length - links.length;
  return html`<p class="lead">${formatCount(texts.missingCount, unansweredStatements.length)}. ${texts.missingHelp}</p>
${renderProgressBar(progress, appearance)}
<p class="actions"><a class="button" href="${paths.page(progress.nextPage ?? 1)}">${texts.answerMissing}</a></p>
<ul class="missing-list"${renderLang(session.language, appearance)}>${links}</ul>
${more > 0 ? html`<p class="hint">${formatCount(texts.moreMissing, more)}</p>` : ""}`;
}

/** Every statement with its answer, folded on screens, printed in full. */
function renderAllAnswers({ session, pages, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts } = appearance.language;
  const labels = new Map(session.choices.map(({ id, label }) => [id, label]));
  const renderAnswers = (section: QuestionPage["section"]) =>
    pages
      .filter((page) => page.section === section)
      .flatMap((page) => page.statements.map((statement) => ({ statement, path: paths.page(page.number) })))
      .map(({ statement, path }) => {
        const { questionId, text, value } = statement;
        const answer =
          value === undefined
            ? html`<span lang="${appearance.language.tag}">${texts.noAnswer}</span>`
            : (labels.get(value) ?? value);
        const anchor = formatAnchor(questionId);
        return html`<div class="given"><dt>${text}</dt><dd>${answer} <a href="${path}#${anchor}" lang="${appearance.language.tag}">${texts.change}<span class="unseen">: ${text}</span></a></dd></div>`;
      });
  const sections = session.sections.map(
    (section) => html`<section${renderLang(session.language, appearance)}>
<h2>${renderStem(section)}</h2>
<dl>${renderAnswers(section)}</dl>
</section>`,
  );
  return html`<details class="everything"><summary>${texts.lookThrough}</summary>${sections}</details>`;
}
