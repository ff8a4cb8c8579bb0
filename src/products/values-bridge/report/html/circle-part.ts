// The circle on a page: petals are drawn once, names twice, for wide pages and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { arrangeNames, type CircleDrawing, drawReportPetals, type RimName } from "../drawing/circle.ts";
import { drawCircleSample } from "../drawing/legend.ts";
import { formatLength, type Mark } from "../drawing/marks.ts";
import { formatViewBox, renderHatchPattern, renderMarks } from "../drawing/svg.ts";
import { shortenName } from "../drawing/wrap.ts";
import type { WordedText } from "../model/writer.ts";
import type { ReportModel, ReportPicture } from "../report-model.ts";
import { renderLegend, renderNote } from "./parts.ts";

/** Least width of the circle, and sizes of names at that width, in pixels: beside the summary, and on phones. */
const views = {
  wide: { room: 600, name: 15, direction: 13 },
  narrow: { room: 304, name: 10, direction: 11 },
} as const;

/** Half of the width of circle and names, in units of the circle. If it is less, more names take two lines. */
const halfWidth = 380;

/** The part of a report with the circle. */
export function renderCirclePart({ values, picture, language }: ReportModel): SafeHtml {
  const { title, directions, introduction, notes } = picture;
  const circle = renderCircle(picture, drawReportPetals(values, directions), (size) => {
    const { room, name, direction } = views[size];
    const unit = (2 * halfWidth) / room;
    const setting = { size: name * unit, halfWidth, rimSize: direction * unit };
    return arrangeNames(size === "narrow" ? shortenNames(values) : values, setting, directions);
  });
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${title}</h2>
${circle}
${renderNote([introduction, ...notes].join(" "), language)}
</section>`;
}

/** Values with names that have room on phones. The parts below the circle have the full names. */
export function shortenNames<Value extends { readonly name: WordedText }>(values: readonly Value[]): Value[] {
  return values.map((value) => ({ ...value, name: { ...value.name, text: shortenName(value.name.text) } }));
}

/** A circle with its legend. @param arrange the names around it, and what all of it lies in */
export function renderCircle(
  { description, legend }: Pick<ReportPicture, "description" | "legend">,
  petals: readonly Mark[],
  arrange: (size: keyof typeof views) => Omit<CircleDrawing, "petals">,
): SafeHtml {
  const renderView = (size: keyof typeof views) => {
    const { box, labels, rimNames } = arrange(size);
    const around = rimNames.map((rimName, place) => drawRimName(rimName, `${size}-${place}`));
    return html`<svg class="${size}" viewBox="${formatViewBox(box)}" role="img" aria-label="${description}"><use href="#petals"/>${around}${renderMarks(labels)}</svg>`;
  };
  return html`<svg class="marks" aria-hidden="true"><defs>${renderHatchPattern()}<g id="petals">${renderMarks(petals)}</g></defs></svg>
<figure class="circle">${renderView("wide")}
${renderView("narrow")}</figure>
${renderLegend(legend, drawCircleSample)}`;
}

function drawRimName({ text, size, radius, from, to, isTurned }: RimName, id: string): SafeHtml {
  const at = (angle: number) => `${formatLength(radius * Math.sin(angle))},${formatLength(-radius * Math.cos(angle))}`;
  const arc = (sweep: number) => `A${formatLength(radius)},${formatLength(radius)},0,0,${sweep},`;
  const path = isTurned ? `M${at(to)}${arc(0)}${at(from)}` : `M${at(from)}${arc(1)}${at(to)}`;
  return html`<path id="${id}" class="m-rim" d="${path}"/><text class="m-direction" font-size="${formatLength(size)}"><textPath href="#${id}" startOffset="50%" text-anchor="middle">${text}</textPath></text>`;
}
