// The circle on a page: its petals are drawn once, and names are set twice: for wide pages, and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { type CircleDrawing, namesAround, petalsOf } from "../drawing/circle.ts";
import { sampleMarks } from "../drawing/legend.ts";
import { px } from "../drawing/marks.ts";
import { directionMarks, rim, spansOf } from "../drawing/petals.ts";
import { hatchPattern, marksToSvg, viewBox } from "../drawing/svg.ts";
import { shortName } from "../drawing/wrap.ts";
import type { ReportModel, ReportPicture, ReportValue } from "../report-model.ts";
import { legendOf, noteOf } from "./parts.ts";

/** Pixels that the circle and its names have beside the summary and on a phone, and the size of the names there. */
const views = { wide: { room: 600, name: 15, direction: 13 }, narrow: { room: 370, name: 12, direction: 11 } } as const;

/** Half of the width of circle and names, in units of the circle: the less, the larger the circle. */
const halfWidths = [300, 320, 340, 360, 380] as const;
const widest = 400;

/** Names that may be parted for the sake of a larger circle. */
const mostParted = 2;

/** The part of a report with the circle. */
export function circlePart({ values, picture, language }: ReportModel): SafeHtml {
  // The differences below have the full names.
  const short = values.map((value) => ({ ...value, name: { ...value.name, text: shortName(value.name.text) } }));
  const { directions } = picture;
  const drawings = { wide: largest(values, "wide", directions), narrow: largest(short, "narrow", directions) };
  const grounds = directionMarks(directions.map((each) => each.values));
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${picture.title}</h2>
<svg class="marks" aria-hidden="true"><defs>${hatchPattern()}<g id="petals">${marksToSvg([...grounds, ...petalsOf(values)])}</g></defs></svg>
<figure class="circle">${view("wide", drawings.wide, picture)}
${view("narrow", drawings.narrow, picture)}</figure>
${legendOf(picture.legend, ({ mark }) => sampleMarks(mark))}
${noteOf([picture.introduction, ...picture.notes].join(" "), language)}
</section>`;
}

type Drawing = Omit<CircleDrawing, "petals"> & { readonly rimNames: SafeHtml };
type Directions = ReportPicture["directions"];

/** The largest circle around which hardly any name has to be parted; with long names, the smallest one. */
function largest(values: readonly ReportValue[], size: keyof typeof views, directions: Directions): Drawing {
  const { room, name, direction } = views[size];
  const drawn = (halfWidth: number): Drawing => {
    const [nameSize, rimSize] = [name, direction].map((pixels) => (pixels * 2 * halfWidth) / room);
    const distance = directions.length === 0 ? 14 : 17 + (rimSize ?? 0);
    const around = namesAround(values, { size: nameSize ?? name, halfWidth, distance });
    return { ...around, rimNames: rimNames(directions, rimSize ?? direction, size) };
  };
  for (const half of halfWidths) {
    const drawing = drawn(half);
    if (drawing.labels.filter(({ text }) => text.endsWith("-")).length <= mostParted) return drawing;
  }
  return drawn(widest);
}

/** The names of the directions along the rim; below the circle they run the other way, so that none is upside down. */
function rimNames(directions: Directions, size: number, prefix: string): SafeHtml {
  const spans = spansOf(directions.map(({ values }) => values));
  return html`${directions.map(({ text }, index) => {
    const { from = 0, to = 0 } = spans[index] ?? {};
    const isBelow = Math.cos((from + to) / 2) < -0.4;
    const radius = rim + 9 + (isBelow ? size * 0.7 : 0);
    const at = (angle: number) => `${px(radius * Math.sin(angle))},${px(-radius * Math.cos(angle))}`;
    const arc = (sweep: number) => `A${px(radius)},${px(radius)},0,0,${sweep},`;
    const path = isBelow ? `M${at(to)}${arc(0)}${at(from)}` : `M${at(from)}${arc(1)}${at(to)}`;
    const id = `${prefix}-${index}`;
    return html`<path id="${id}" class="m-rim" d="${path}"/><text class="m-direction" font-size="${px(size)}"><textPath href="#${id}" startOffset="50%" text-anchor="middle">${text}</textPath></text>`;
  })}`;
}

function view(size: keyof typeof views, { box, labels, rimNames: around }: Drawing, picture: ReportPicture): SafeHtml {
  return html`<svg class="${size}" viewBox="${viewBox(box)}" role="img" aria-label="${picture.description}"><use href="#petals"/>${around}${marksToSvg(labels)}</svg>`;
}
