// A page of statements, each one a group of choices.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { Choice } from "../../gen/assessment/v1/assessment_pb.ts";
import type { HostedStatement } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { Page } from "./layout.ts";
import type { QuestionPage } from "./pagination.ts";
import { formatAnchor, progressBar, renderFrame, saveState, troubles, wordedIn } from "./parts.ts";

export interface QuestionsView extends OpenBrowserSession {
  readonly page: QuestionPage;
  /** Statements that the person tried to leave without an answer. */
  readonly missing: readonly HostedStatement[];
}

/** A page of statements. */
export function questionsPage(view: QuestionsView): Page {
  const { session, page, pages, missing, appearance } = view;
  const { texts, say } = appearance.language;
  const position = say(texts.pageOf, { page: page.number, pages: pages.length });
  const problem = missing.length > 0 ? `${texts.errorPrefix} ` : "";
  const body = html`<main>
${bar(view)}
${form(view)}
</main>`;
  return {
    title: `${problem}${renderFrame(page.section)} · ${position} · ${session.title}`,
    body,
    skipTo: "statements",
  };
}

/** The sticky header: the beginning of the sentence, the progress, and whether answers are saved. */
function bar({ session, page, progress, appearance }: QuestionsView): SafeHtml {
  const { texts, say } = appearance.language;
  const { answerCount, total } = progress;
  const parts = session.sections.length;
  return html`<div class="bar">
<div class="bar-inner">
<div class="bar-row">
<p>${parts > 1 ? say(texts.part, { part: page.part, parts }) : ""}</p>
${saveState(appearance)}
</div>
<h1 class="frame"${wordedIn(session.language, appearance)}>${renderFrame(page.section)}</h1>
<div class="bar-row">
<p class="steady"><span data-progress="${texts.progress}">${say(texts.progress, { given: answerCount, total })}</span><span aria-hidden="true">${say(texts.progress, { given: total, total })}</span></p>
${progressBar(progress, appearance)}
</div>
</div>
</div>`;
}

function form(view: QuestionsView): SafeHtml {
  const { session, page, pages, progress, paths, csrfToken, missing, appearance } = view;
  const { texts } = appearance.language;
  const elsewhere = progress.answerCount - page.statements.filter(({ value }) => value !== undefined).length;
  const isLast = page.number === pages.length;
  const nextPath = isLast ? paths.review : paths.page(page.number + 1);
  const backPath = page.number > 1 ? paths.page(page.number - 1) : paths.start;
  return html`<form id="statements" method="post" action="${paths.page(page.number)}" autocomplete="off" novalidate
 data-answers data-session="${session.sessionId}" data-start="${paths.start}" data-elsewhere="${elsewhere}" data-total="${progress.total}">
<input type="hidden" name="csrfToken" value="${csrfToken}">
${page.isFirstOfPart && page.part > 1 ? html`<p class="new-part">${texts.newPart}</p>` : ""}
${page.statements.map((statement) => group(statement, view))}
<noscript><p class="hint">${texts.savedOnNext}</p></noscript>
<div class="notice" data-notice role="alert"${missing.length > 0 ? "" : html` hidden`}>
<p>${texts.missingOnPage}</p>
<ul data-missing-list${wordedIn(session.language, appearance)}>${missing.map(missingLink)}</ul>
<button class="quiet" name="go" value="skip" data-to="${nextPath}">${texts.goOnWithout}</button>
</div>
<div class="actions both">
<button class="button" name="go" value="next" data-to="${nextPath}">${isLast ? texts.toReview : texts.next}</button>
<button class="quiet" name="go" value="back" data-to="${backPath}">${texts.back}</button>
</div>
</form>
${troubles(appearance)}`;
}

function group(statement: HostedStatement, { session, page, missing, appearance }: QuestionsView): SafeHtml {
  const { texts } = appearance.language;
  const { before, after } = page.section;
  const anchor = formatAnchor(statement.questionId);
  const isMissing = missing.includes(statement);
  const isFirstMissing = missing[0] === statement;
  const marks = isMissing ? html` data-missing aria-describedby="${anchor}-missing"` : "";
  const choices = session.choices.map((choice, index) => {
    const isFocused = isFirstMissing && index === 0;
    return choiceLabel({ statement, choice, id: `${anchor}-${index + 1}`, isFocused });
  });
  const count = session.choices.length;
  const layout = count <= 7 ? `choices few of-${count}` : "choices";
  return html`<fieldset class="statement" id="${anchor}"${statement.required ? html` data-required` : ""}${marks}${wordedIn(session.language, appearance)}>
<legend><span class="unseen">${`${before} ${statement.text}${after}`}</span><span aria-hidden="true" data-text>${statement.text}</span></legend>
<p class="missing" id="${anchor}-missing" lang="${appearance.language.tag}"${isMissing ? "" : html` hidden`}>${texts.missingAnswer}</p>
<div class="${layout}">${choices}</div>
</fieldset>`;
}

interface ChoiceView {
  readonly statement: HostedStatement;
  readonly choice: Choice;
  readonly id: string;
  readonly isFocused: boolean;
}

function choiceLabel({ statement, choice, id, isFocused }: ChoiceView): SafeHtml {
  const state = html`${statement.value === choice.id ? html` checked` : ""}${isFocused ? html` autofocus` : ""}`;
  return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${formatAnchor(statement.questionId)}" value="${choice.id}"${statement.required ? html` required` : ""}${state}><span>${choice.label}</span></label>`;
}

function missingLink({ questionId, text }: HostedStatement): SafeHtml {
  return html`<li><a href="#${formatAnchor(questionId)}-1">${text}</a></li>`;
}
