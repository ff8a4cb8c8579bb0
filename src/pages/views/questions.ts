// A page of statements, each one a group of choices.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { Choice } from "../../gen/assessment/v1/assessment_pb.ts";
import type { HostedStatement } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { Page } from "./layout.ts";
import type { QuestionPage } from "./pagination.ts";
import { formatAnchor, renderLang, renderProgressBar, renderSaveErrors, renderSaveState, renderStem } from "./parts.ts";

export interface QuestionsView extends OpenBrowserSession {
  readonly page: QuestionPage;
  /** Required statements without an answer, once the person pressed next. */
  readonly missingStatements: readonly HostedStatement[];
}

/** A page of statements. */
export function renderQuestionsPage(view: QuestionsView): Page {
  const { session, page, pages, missingStatements, appearance } = view;
  const { texts, say } = appearance.language;
  const position = say(texts.pageOf, { page: page.number, pages: pages.length });
  const problem = missingStatements.length > 0 ? `${texts.errorPrefix} ` : "";
  const body = html`<main>
${renderBar(view)}
${renderForm(view)}
</main>`;
  return {
    title: `${problem}${renderStem(page.section)} · ${position} · ${session.title}`,
    body,
    skipTo: "statements",
  };
}

/** The sticky header: the stem of the statements, the progress, and whether answers are saved. */
function renderBar({ session, page, progress, appearance }: QuestionsView): SafeHtml {
  const { texts, say } = appearance.language;
  const { answerCount, total } = progress;
  const sectionCount = session.sections.length;
  return html`<div class="bar">
<div class="bar-inner">
<div class="bar-row">
<p>${sectionCount > 1 ? say(texts.part, { part: page.part, parts: sectionCount }) : ""}</p>
${renderSaveState(appearance)}
</div>
<h1 class="frame"${renderLang(session.language, appearance)}>${renderStem(page.section)}</h1>
<div class="bar-row">
<p class="steady"><span data-progress="${texts.progress}">${say(texts.progress, { given: answerCount, total })}</span><span aria-hidden="true">${say(texts.progress, { given: total, total })}</span></p>
${renderProgressBar(progress, appearance)}
</div>
</div>
</div>`;
}

function renderForm(view: QuestionsView): SafeHtml {
  const { session, page, pages, progress, paths, csrfField, missingStatements, appearance } = view;
  const { texts } = appearance.language;
  const answersOnOtherPages = progress.answerCount - page.statements.filter(({ value }) => value !== undefined).length;
  const isLast = page.number === pages.length;
  const nextPath = isLast ? paths.review : paths.page(page.number + 1);
  const backPath = page.number > 1 ? paths.page(page.number - 1) : paths.start;
  return html`<form id="statements" method="post" action="${paths.page(page.number)}" autocomplete="off" novalidate
 data-answers data-session="${session.sessionId}" data-start="${paths.start}" data-elsewhere="${answersOnOtherPages}" data-total="${progress.total}">
${csrfField}
${page.isFirstOfPart && page.part > 1 ? html`<p class="new-part">${texts.newPart}</p>` : ""}
${page.statements.map((statement) => renderStatement(statement, view))}
<noscript><p class="hint">${texts.savedOnNext}</p></noscript>
<div class="notice" data-notice role="alert"${missingStatements.length > 0 ? "" : html` hidden`}>
<p>${texts.missingOnPage}</p>
<ul data-missing-list${renderLang(session.language, appearance)}>${missingStatements.map(renderMissingLink)}</ul>
<button class="quiet" name="go" value="skip" data-to="${nextPath}">${texts.goOnWithout}</button>
</div>
<div class="actions both">
<button class="button" name="go" value="next" data-to="${nextPath}">${isLast ? texts.toReview : texts.next}</button>
<button class="quiet" name="go" value="back" data-to="${backPath}">${texts.back}</button>
</div>
</form>
${renderSaveErrors(appearance)}`;
}

function renderStatement(statement: HostedStatement, view: QuestionsView): SafeHtml {
  const { session, page, missingStatements, appearance } = view;
  const { texts } = appearance.language;
  const { before, after } = page.section;
  const anchor = formatAnchor(statement.questionId);
  const isMissing = missingStatements.includes(statement);
  const isFirstMissing = missingStatements[0] === statement;
  const marks = isMissing ? html` data-missing aria-describedby="${anchor}-missing"` : "";
  const choices = session.choices.map((choice, index) =>
    renderChoice(statement, choice, `${anchor}-${index + 1}`, isFirstMissing && index === 0),
  );
  const count = session.choices.length;
  const layout = count <= 7 ? `choices few of-${count}` : "choices";
  return html`<fieldset class="statement" id="${anchor}"${statement.required ? html` data-required` : ""}${marks}${renderLang(session.language, appearance)}>
<legend><span class="unseen">${`${before} ${statement.text}${after}`}</span><span aria-hidden="true" data-text>${statement.text}</span></legend>
<p class="missing" id="${anchor}-missing" lang="${appearance.language.tag}"${isMissing ? "" : html` hidden`}>${texts.missingAnswer}</p>
<div class="${layout}">${choices}</div>
</fieldset>`;
}

function renderChoice(statement: HostedStatement, choice: Choice, id: string, isFocused: boolean): SafeHtml {
  const state = html`${statement.value === choice.id ? html` checked` : ""}${isFocused ? html` autofocus` : ""}`;
  return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${formatAnchor(statement.questionId)}" value="${choice.id}"${statement.required ? html` required` : ""}${state}><span>${choice.label}</span></label>`;
}

function renderMissingLink({ questionId, text }: HostedStatement): SafeHtml {
  return html`<li><a href="#${formatAnchor(questionId)}-1">${text}</a></li>`;
}
