// One small step: suggestions, on pages of the service in an HTML form, and the step that was chosen.
import { html, type SafeHtml } from "@remix-run/html-template";
import type { ReportModel, ReportSteps } from "../report-model.ts";
import type { OwnPage } from "../report-renderer.ts";
import { chooseReportLanguage, type ReportTexts } from "../words/language.ts";
import { renderNote, renderPart } from "./parts.ts";

/** The part of a report with the step. @param htmlForm null: the step can only be read here */
export function renderStepsPart({ steps, language }: ReportModel, htmlForm: OwnPage["step"]): SafeHtml | "" {
  if (steps === null) return "";
  const { title, note, offers, chosen: chosenStep, earlier } = steps;
  const { texts } = chooseReportLanguage([language]);
  const day =
    chosenStep?.lookAgainOn == null
      ? ""
      : html`<p class="note">${chosenStep.again}${htmlForm === null ? "" : html` <a href="${htmlForm.path}.ics">${texts.stepCalendar}</a>`}</p>`;
  const content = html`<div>${earlier === null ? "" : html`<p class="note">${earlier}</p>\n`}${chosenStep === null ? "" : html`<p class="said">${chosenStep.text}</p>\n${day}`}${htmlForm === null ? renderOffers(offers) : renderForm(offers, chosenStep, htmlForm, texts)}</div>`;
  return renderPart("steps", title, content, { kind: "steps", anchor: "step", notes: renderNote(note, language) });
}

function renderOffers(offers: ReportSteps["offers"]): SafeHtml {
  return html`${offers.map(
    ({ text, steps }) =>
      html`<h3>${text}</h3>\n<ul class="plain">${steps.map((step) => html`<li>${step}</li>\n`)}</ul>\n`,
  )}`;
}

function renderForm(
  offers: ReportSteps["offers"],
  chosenStep: ReportSteps["chosen"],
  { path, token, day }: NonNullable<OwnPage["step"]>,
  texts: ReportTexts,
): SafeHtml {
  const choices = offers.map(
    ({ text, steps }) => html`<fieldset><legend>${text}</legend>
${steps.map((step) => html`<label><input type="radio" name="step" value="${step}"${step === chosenStep?.step ? html` checked` : ""}> ${step}</label>\n`)}</fieldset>
`,
  );
  const remove =
    chosenStep === null ? "" : html` <button class="quiet" name="go" value="remove">${texts.stepRemove}</button>`;
  return html`<form method="post" action="${path}">
<input type="hidden" name="csrfToken" value="${token}">
${choices}<p><label for="own">${texts.stepOwn}</label><input id="own" name="own" maxlength="200" autocomplete="off"></p>
<p><label for="day">${texts.stepDay}</label><input id="day" type="date" name="day" value="${chosenStep?.lookAgainOn ?? day}"></p>
<p><button>${texts.stepKeep}</button>${remove}</p>
<p class="note">${texts.stepKept}</p>
</form>`;
}
