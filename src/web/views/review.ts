// The last page before the end: what is missing, a look at everything, and the way to finish.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { GetHostedSessionResponse } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { type Look, partnerName } from "../appearance.ts";
import { missingOn, type Progress, type QuestionPage } from "../pagination.ts";
import type { SessionPaths } from "../paths.ts";
import type { Page } from "./layout.ts";
import { anchorOf, frameOf, progressBar, wordedIn } from "./parts.ts";

export interface ReviewView {
  readonly session: GetHostedSessionResponse;
  readonly pages: readonly QuestionPage[];
  readonly progress: Progress;
  readonly paths: SessionPaths;
  readonly formToken: string;
}

/** More of them in a list would only discourage. */
const maxListed = 10;

/** The review page. */
export function reviewPage(view: ReviewView, look: Look): Page {
  const { texts } = look.language;
  const { title, language } = view.session;
  const isComplete = view.progress.nextPage === undefined;
  const heading = isComplete ? texts.review : texts.reviewMissing;
  const body = html`<main class="narrow">
<p class="eyebrow"${wordedIn(language, look)}>${title}</p>
<h1>${heading}</h1>
${isComplete ? finish(view, look) : missing(view, look)}
${everything(view, look)}
</main>`;
  return { title: `${heading} · ${title}`, body, leadsAway: isComplete };
}

function finish({ progress, paths, formToken }: ReviewView, look: Look): SafeHtml {
  const { texts, say } = look.language;
  return html`<p class="lead">${say(texts.complete, { total: progress.total })}</p>
${progressBar(progress, look)}
<p>${say(texts.finishHelp, { partner: partnerName(look) })}</p>
<form method="post" action="${paths.finish}" data-once="${texts.finishing}">
<input type="hidden" name="formToken" value="${formToken}">
<p class="actions"><button class="button">${texts.finish}</button></p>
</form>`;
}

function missing({ session, pages, progress, paths }: ReviewView, look: Look): SafeHtml {
  const { texts, count } = look.language;
  const all = pages.flatMap((page) =>
    missingOn(page).map((statement) => ({ statement, path: paths.page(page.number), section: page.section })),
  );
  const links = all.slice(0, maxListed).map(({ statement, path, section }) => {
    const sentence = `${section.before} ${statement.text}${section.after}`;
    return html`<li><a href="${path}#${anchorOf(statement.questionId)}-1">${sentence}</a></li>`;
  });
  const more = all.length - links.length;
  return html`<p class="lead">${count(texts.missingCount, all.length)}. ${texts.missingHelp}</p>
${progressBar(progress, look)}
<p class="actions"><a class="button" href="${paths.page(progress.nextPage ?? 1)}">${texts.answerMissing}</a></p>
<ul class="missing-list"${wordedIn(session.language, look)}>${links}</ul>
${more > 0 ? html`<p class="hint">${count(texts.moreMissing, more)}</p>` : ""}`;
}

/** Every statement with its answer, for those who want to see it; printed in full. */
function everything({ session, pages, paths }: ReviewView, look: Look): SafeHtml {
  const { texts } = look.language;
  const labels = new Map(session.choices.map(({ id, label }) => [id, label]));
  const ofSection = (section: QuestionPage["section"]) =>
    pages
      .filter((page) => page.section === section)
      .flatMap((page) => page.statements.map((statement) => ({ statement, path: paths.page(page.number) })))
      .map(({ statement, path }) => {
        const { questionId, text, value } = statement;
        const answer =
          value === undefined
            ? html`<span lang="${look.language.tag}">${texts.noAnswer}</span>`
            : (labels.get(value) ?? value);
        const anchor = anchorOf(questionId);
        return html`<div class="given"><dt>${text}</dt><dd>${answer} <a href="${path}#${anchor}" lang="${look.language.tag}">${texts.change}<span class="unseen">: ${text}</span></a></dd></div>`;
      });
  const sections = session.sections.map(
    (section) => html`<section${wordedIn(session.language, look)}>
<h2>${frameOf(section)}</h2>
<dl>${ofSection(section)}</dl>
</section>`,
  );
  return html`<details class="everything"><summary>${texts.lookThrough}</summary>${sections}</details>`;
}
