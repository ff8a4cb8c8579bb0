// The circle on a page: its petals are drawn once, and names are set twice: for wide pages, and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { type CircleDrawing, namesAround, petalsOf } from "../drawing/circle.ts";
import { sampleMarks } from "../drawing/legend.ts";
import { px } from "../drawing/marks.ts";
import { hatchPattern, marksToSvg } from "../drawing/svg.ts";
import { shortName } from "../drawing/wrap.ts";
import type { ReportModel, ReportPicture, ReportValue } from "../report-model.ts";
import { legendOf } from "./parts.ts";

/** Pixels that the circle and its names have beside the summary and on a phone, and the size of the names there. */
const views = { wide: { room: 600, name: 15 }, narrow: { room: 370, name: 12 } } as const;

/** Half of the width of circle and names, in units of the circle: the less, the larger the circle. */
const halfWidths = [300, 320, 340, 360, 380] as const;
const widest = 400;

/** Names that may be parted for the sake of a larger circle. */
const mostParted = 2;

/** The part of a report with the circle. */
export function circlePart({ values, picture }: ReportModel): SafeHtml {
  // The differences below have the full names.
  const short = values.map((value) => ({ ...value, name: { ...value.name, text: shortName(value.name.text) } }));
  const drawings = { wide: largest(values, views.wide), narrow: largest(short, views.narrow) };
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${picture.title}</h2>
<svg class="marks" aria-hidden="true"><defs>${hatchPattern()}<g id="petals">${marksToSvg(petalsOf(values))}</g></defs></svg>
<figure class="circle">${view("wide", drawings.wide, picture)}
${view("narrow", drawings.narrow, picture)}</figure>
${legendOf(picture.legend, ({ mark }) => sampleMarks(mark))}
<p class="note">${picture.introduction} ${picture.notes.join(" ")}</p>
</section>`;
}

/** The largest circle around which hardly any name has to be parted; with long names, the smallest one. */
function largest(values: readonly ReportValue[], { room, name }: { readonly room: number; readonly name: number }) {
  const drawn = (halfWidth: number) => namesAround(values, { size: (name * 2 * halfWidth) / room, halfWidth });
  for (const half of halfWidths) {
    const drawing = drawn(half);
    if (drawing.labels.filter(({ text }) => text.endsWith("-")).length <= mostParted) return drawing;
  }
  return drawn(widest);
}

function view(
  size: "wide" | "narrow",
  { box, labels }: Omit<CircleDrawing, "petals">,
  picture: ReportPicture,
): SafeHtml {
  const [left, top, right, bottom] = box;
  const frame = [left, top, right - left, bottom - top].map(px).join(" ");
  return html`<svg class="${size}" viewBox="${frame}" role="img" aria-label="${picture.description}"><use href="#petals"/>${marksToSvg(labels)}</svg>`;
}
