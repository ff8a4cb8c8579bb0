// The last page before the end: what is missing, a look at everything, and the way to finish.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import { partnerName } from "./appearance.ts";
import type { Page } from "./layout.ts";
import { missingOn, type QuestionPage } from "./pagination.ts";
import { formatAnchor, pendingAnswers, progressBar, renderFrame, wordedIn } from "./parts.ts";

/** Limit of the list: a longer one would discourage. */
const maxListed = 10;

/** The review page. */
export function reviewPage(openSession: OpenBrowserSession): Page {
  const { appearance, progress, session } = openSession;
  const { texts } = appearance.language;
  const { title, language } = session;
  const isComplete = progress.nextPage === undefined;
  const heading = isComplete ? texts.review : texts.reviewMissing;
  const body = html`<main class="narrow">
<p class="eyebrow"${wordedIn(language, appearance)}>${title}</p>
<h1>${heading}</h1>
${pendingAnswers(openSession)}
${isComplete ? finish(openSession) : missing(openSession)}
${everything(openSession)}
</main>`;
  return { title: `${heading} · ${title}`, body, leadsAway: isComplete };
}

function finish({ session, offersReport, progress, paths, csrfToken, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, say } = appearance.language;
  const finishThenLeave = session.furtherStatements > 0 ? texts.finishThenChoose : texts.finishHelp;
  return html`<p class="lead">${say(texts.complete, { total: progress.total })}</p>
${progressBar(progress, appearance)}
<p>${say(offersReport ? texts.finishThenResults : finishThenLeave, { partner: partnerName(appearance) })}</p>
<form method="post" action="${paths.finish}" data-once="${texts.finishing}">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<p class="actions"><button class="button">${texts.finish}</button></p>
</form>`;
}

function missing({ session, pages, progress, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts, count } = appearance.language;
  const all = pages.flatMap((page) =>
    missingOn(page).map((statement) => ({ statement, path: paths.page(page.number), section: page.section })),
  );
  const links = all.slice(0, maxListed).map(({ statement, path, section }) => {
    const sentence = `${section.before} ${statement.text}${section.after}`;
    return html`<li><a href="${path}#${formatAnchor(statement.questionId)}-1">${sentence}</a></li>`;
  });
  const more = all.length - links.length;
  return html`<p class="lead">${count(texts.missingCount, all.length)}. ${texts.missingHelp}</p>
${progressBar(progress, appearance)}
<p class="actions"><a class="button" href="${paths.page(progress.nextPage ?? 1)}">${texts.answerMissing}</a></p>
<ul class="missing-list"${wordedIn(session.language, appearance)}>${links}</ul>
${more > 0 ? html`<p class="hint">${count(texts.moreMissing, more)}</p>` : ""}`;
}

/** Every statement with its answer, for those who want to see it; printed in full. */
function everything({ session, pages, paths, appearance }: OpenBrowserSession): SafeHtml {
  const { texts } = appearance.language;
  const labels = new Map(session.choices.map(({ id, label }) => [id, label]));
  const ofSection = (section: QuestionPage["section"]) =>
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
    (section) => html`<section${wordedIn(session.language, appearance)}>
<h2>${renderFrame(section)}</h2>
<dl>${ofSection(section)}</dl>
</section>`,
  );
  return html`<details class="everything"><summary>${texts.lookThrough}</summary>${sections}</details>`;
}
