// The table of all values, which is also the chart of their differences.
import { html, type SafeHtml } from "@remix-run/html-template";
import { drawGap, placeTicks } from "../drawing/gap-rows.ts";
import { drawTrackSample } from "../drawing/legend.ts";
import { formatViewBox, renderMarks } from "../drawing/svg.ts";
import type { ReportDifferences, ReportModel, ReportValue } from "../report-model.ts";
import { chooseReportLanguage } from "../words/language.ts";
import { keepUnits, renderEnds, renderLang, renderLegend, renderNote, renderPart } from "./parts.ts";

/** The part of a report with the differences. Roles are explicit, since rows become blocks on narrow screens. */
export function renderDifferencesPart(model: ReportModel): SafeHtml {
  const { differences, values, language, scale, picture } = model;
  const byId = new Map(values.map((value) => [value.valueId, value]));
  const ticks = placeTicks(scale);
  const ends = renderEnds([scale.lowest, scale.highest], language);
  const renderTable = ({ title, valueIds }: ReportDifferences["groups"][number], isFolded: boolean) => {
    const rows = valueIds.flatMap((id) => byId.get(id) ?? []).map((value) => renderRow(value, model, ticks));
    const caption = isFolded ? html`<caption class="unseen">${title}</caption>` : html`<caption>${title}</caption>`;
    return html`<table role="table">${caption}
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><span class="unseen">${differences.columns.value}</span></th><th role="columnheader" scope="col"><span class="unseen">${differences.columns.picture}</span>${ends}</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
  };
  const content = html`<div>${differences.groups.map((group) =>
    group.group === "asWanted" || group.group === "tooFewAnswers"
      ? html`<details class="fold"><summary>${group.title} (${group.valueIds.length})</summary>${renderTable(group, true)}</details>\n`
      : html`${renderTable(group, false)}\n`,
  )}</div>`;
  const notes = html`${renderNote(differences.note, language)}${renderLegend(picture.legend, drawTrackSample)}`;
  return renderPart("differences", differences.title, content, { kind: "differences", notes });
}

function renderRow(value: ReportValue, { language }: ReportModel, ticks: readonly number[]): SafeHtml {
  const { name, standing, difference, statements } = value;
  const words = difference === null ? "" : html` <span class="words">${keepUnits(difference)}</span>`;
  return html`<tr role="row"><th role="rowheader" scope="row"><span class="name"${renderLang(name, language)}>${name.text}</span>${words} <span class="standing">${standing}</span></th><td role="cell">${drawTrack(value, ticks)}${statements.length === 0 ? "" : renderStatements(statements, language)}</td></tr>
`;
}

/** The statements behind a difference, closed at first. */
function renderStatements(statements: ReportValue["statements"], language: string): SafeHtml {
  const { statementsBehind, colon } = chooseReportLanguage([language]).texts;
  return html`<details class="behind"><summary>${statementsBehind}</summary><ul class="plain">${statements.map(
    ({ text, standing }) => html`<li><span${renderLang(text, language)}>${text.text}</span>${colon}${standing}</li>\n`,
  )}</ul></details>`;
}

/** A track as wide as its column. */
const track = { length: 300, box: [-12, -14, 312, 14] } as const;

function drawTrack(value: ReportValue, ticks: readonly number[]): SafeHtml {
  const marks = drawGap(value, ticks, track.length);
  return html`<svg class="track" aria-hidden="true" viewBox="${formatViewBox(track.box)}">${renderMarks(marks)}</svg>`;
}
