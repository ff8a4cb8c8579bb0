// The circle on a page: with names, and with places where names have no room.
import { html, type SafeHtml } from "@remix-run/html-template";
import { circleWithNames, circleWithRanks } from "../drawing/circle.ts";
import { sampleMarks, sampleSize } from "../drawing/legend.ts";
import { type Box, px, type TextMark } from "../drawing/marks.ts";
import { browserTextWidth } from "../drawing/text-width.ts";
import type { ReportModel, ReportPicture } from "../report-model.ts";
import { hatchPattern, marksToSvg } from "../svg/marks-svg.ts";

/** The part of a report with the circle. */
export function circlePart({ values }: ReportModel, picture: ReportPicture): SafeHtml {
  const { petals, labels, box } = circleWithNames(values, { width: browserTextWidth });
  const ranks = circleWithRanks(values);
  const [ends, ...others] = picture.notes;
  return html`<section class="part circle-part" aria-labelledby="circle">
<h2 id="circle">${picture.title}</h2>
<p>${picture.introduction}</p>
<svg class="marks" aria-hidden="true"><defs>${hatchPattern()}<g id="petals">${marksToSvg(petals)}</g></defs></svg>
<figure class="circle">${view("wide", box, labels, picture)}
${view("narrow", ranks.box, ranks.labels, picture)}</figure>
<ul class="legend">${picture.legend.map(({ mark, text }) => html`<li>${sample(mark)}${text}</li>\n`)}</ul>
<p class="note">${ends} <span class="bold-note">${others.join(" ")}</span><span class="rank-note">${picture.rankNote}</span></p>
</section>`;
}

function view(size: "wide" | "narrow", box: Box, labels: readonly TextMark[], picture: ReportPicture): SafeHtml {
  const [left, top, right, bottom] = box;
  const frame = [left, top, right - left, bottom - top].map(px).join(" ");
  return html`<svg class="${size}" viewBox="${frame}" role="img" aria-label="${picture.description}"><use href="#petals"/>${marksToSvg(labels)}</svg>`;
}

function sample(mark: ReportPicture["legend"][number]["mark"]): SafeHtml {
  const { width, height } = sampleSize;
  return html`<svg width="${width}" height="${height}" aria-hidden="true">${marksToSvg(sampleMarks(mark))}</svg>`;
}
