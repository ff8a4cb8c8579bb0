// The circle on a page: its petals are drawn once, and names are set twice: for wide pages, and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { arrangeNames, drawReportPetals, type RimName } from "../drawing/circle.ts";
import { drawCircleSample } from "../drawing/legend.ts";
import { px } from "../drawing/marks.ts";
import { formatViewBox, renderHatchPattern, renderMarks } from "../drawing/svg.ts";
import { shortenName } from "../drawing/wrap.ts";
import type { ReportModel, ReportPicture, ReportValue } from "../report-model.ts";
import { renderLegend, renderNote } from "./parts.ts";

/**
 * The least pixels that the circle and its names have beside the summary and on the smallest phones, and the size of names
 * there: on larger screens all of it is larger.
 */
const views = {
  wide: { room: 600, name: 15, direction: 13 },
  narrow: { room: 304, name: 10, direction: 11 },
} as const;

/** Half of the width of circle and names, in units of the circle: with less, the circle is larger and more names are parted. */
const halfWidth = 380;

/** The part of a report with the circle. */
export function renderCirclePart({ values, picture, language }: ReportModel): SafeHtml {
  // The differences below have the full names.
  const short = values.map((value) => ({ ...value, name: { ...value.name, text: shortenName(value.name.text) } }));
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${picture.title}</h2>
<svg class="marks" aria-hidden="true"><defs>${renderHatchPattern()}<g id="petals">${renderMarks(drawReportPetals(values, picture.directions))}</g></defs></svg>
<figure class="circle">${view("wide", values, picture)}
${view("narrow", short, picture)}</figure>
${renderLegend(picture.legend, ({ mark }) => drawCircleSample(mark))}
${renderNote([picture.introduction, ...picture.notes].join(" "), language)}
</section>`;
}

function view(
  size: keyof typeof views,
  values: readonly ReportValue[],
  { description, directions }: ReportPicture,
): SafeHtml {
  const { room, name, direction } = views[size];
  const unit = (2 * halfWidth) / room;
  const setting = { size: name * unit, halfWidth, rimSize: direction * unit };
  const { box, labels, rimNames } = arrangeNames(values, setting, directions);
  const around = rimNames.map((rimName, place) => drawRimName(rimName, `${size}-${place}`));
  return html`<svg class="${size}" viewBox="${formatViewBox(box)}" role="img" aria-label="${description}"><use href="#petals"/>${around}${renderMarks(labels)}</svg>`;
}

function drawRimName({ text, size, radius, from, to, isTurned }: RimName, id: string): SafeHtml {
  const at = (angle: number) => `${px(radius * Math.sin(angle))},${px(-radius * Math.cos(angle))}`;
  const arc = (sweep: number) => `A${px(radius)},${px(radius)},0,0,${sweep},`;
  const path = isTurned ? `M${at(to)}${arc(0)}${at(from)}` : `M${at(from)}${arc(1)}${at(to)}`;
  return html`<path id="${id}" class="m-rim" d="${path}"/><text class="m-direction" font-size="${px(size)}"><textPath href="#${id}" startOffset="50%" text-anchor="middle">${text}</textPath></text>`;
}
