// The circle on a page: its petals are drawn once, and names are set twice: for wide pages, and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { drawPetals, namesAround, type RimName } from "../drawing/circle.ts";
import { sampleMarks } from "../drawing/legend.ts";
import { px } from "../drawing/marks.ts";
import { hatchPattern, marksToSvg, viewBox } from "../drawing/svg.ts";
import { shortName } from "../drawing/wrap.ts";
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

/** Half of the width of circle and names, in units of the circle: the less, the larger the circle. */
const halfWidths = [300, 320, 340, 360, 380] as const;

/** The part of a report with the circle. */
export function circlePart({ values, picture, language }: ReportModel): SafeHtml {
  // The differences below have the full names.
  const short = values.map((value) => ({ ...value, name: { ...value.name, text: shortName(value.name.text) } }));
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${picture.title}</h2>
<svg class="marks" aria-hidden="true"><defs>${hatchPattern()}<g id="petals">${marksToSvg(drawPetals(values, picture.directions))}</g></defs></svg>
<figure class="circle">${view("wide", values, picture)}
${view("narrow", short, picture)}</figure>
${renderLegend(picture.legend, ({ mark }) => sampleMarks(mark))}
${renderNote([picture.introduction, ...picture.notes].join(" "), language)}
</section>`;
}

function view(size: keyof typeof views, values: readonly ReportValue[], picture: ReportPicture): SafeHtml {
  const { box, labels, rimNames } = largest(size, values, picture);
  const around = rimNames.map((name, place) => drawRimName(name, `${size}-${place}`));
  return html`<svg class="${size}" viewBox="${viewBox(box)}" role="img" aria-label="${picture.description}"><use href="#petals"/>${around}${marksToSvg(labels)}</svg>`;
}

/** The largest circle around which the fewest names are parted. */
function largest(size: keyof typeof views, values: readonly ReportValue[], { directions }: ReportPicture) {
  const { room, name, direction } = views[size];
  const drawn = (halfWidth: number) => {
    const unit = (2 * halfWidth) / room;
    const drawing = namesAround(values, { size: name * unit, halfWidth, rimSize: direction * unit }, directions);
    return { ...drawing, parted: drawing.labels.filter(({ text }) => text.endsWith("-")).length };
  };
  let best = drawn(halfWidths[0]);
  for (const half of halfWidths) {
    if (best.parted === 0) break;
    const next = drawn(half);
    if (next.parted < best.parted) best = next;
  }
  return best;
}

function drawRimName({ text, size, radius, from, to, isTurned }: RimName, id: string): SafeHtml {
  const at = (angle: number) => `${px(radius * Math.sin(angle))},${px(-radius * Math.cos(angle))}`;
  const arc = (sweep: number) => `A${px(radius)},${px(radius)},0,0,${sweep},`;
  const path = isTurned ? `M${at(to)}${arc(0)}${at(from)}` : `M${at(from)}${arc(1)}${at(to)}`;
  return html`<path id="${id}" class="m-rim" d="${path}"/><text class="m-direction" font-size="${px(size)}"><textPath href="#${id}" startOffset="50%" text-anchor="middle">${text}</textPath></text>`;
}
