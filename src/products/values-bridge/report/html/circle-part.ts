// The circle on a page: petals are drawn once, names twice, for wide pages and larger for phones.
import { html, type SafeHtml } from "@remix-run/html-template";
import { arrangeNames, type Circle, drawCircle, type NameSetting, type RimName, toCircle } from "../drawing/circle.ts";
import { drawCircleSample } from "../drawing/legend.ts";
import { formatLength } from "../drawing/marks.ts";
import { formatViewBox, renderHatchPattern, renderMarks } from "../drawing/svg.ts";
import { shortenName } from "../drawing/wrap.ts";
import type { ReportModel, ReportPicture } from "../report-model.ts";
import { renderLegend, renderNote } from "./parts.ts";

type View = "wide" | "narrow";

/** Half of the width of circle and names, in units of the circle. If it is less, more names take two lines. */
const halfWidth = 380;
/** Units of the circle in a pixel at its least width: 600 pixels beside the summary, 304 on phones. */
const [wideUnit, narrowUnit] = [(2 * halfWidth) / 600, (2 * halfWidth) / 304];
/** Sizes of names in pixels, in units. */
const nameSettings: Readonly<Record<View, NameSetting>> = {
  wide: { size: 15 * wideUnit, halfWidth, rimSize: 13 * wideUnit },
  narrow: { size: 10 * narrowUnit, halfWidth, rimSize: 11 * narrowUnit },
};

/** The part of a report with the circle. */
export function renderCirclePart({ values, picture, language }: ReportModel): SafeHtml {
  const { title, introduction, notes } = picture;
  return html`<section class="circle-part" aria-labelledby="circle">
<h2 id="circle" class="unseen">${title}</h2>
${renderCircle(picture, toCircle({ values, picture }), nameSettings)}
${renderNote([introduction, ...notes].join(" "), language)}
</section>`;
}

/** A circle with its legend. On phones, long names are shortened: the parts below the circle have the full ones. */
export function renderCircle(
  { description, legend }: Pick<ReportPicture, "description" | "legend">,
  circle: Circle,
  settings: Readonly<Record<View, NameSetting>>,
): SafeHtml {
  const petals = circle.petals.map((petal) => ({ ...petal, name: shortenName(petal.name) }));
  const renderView = (view: View) => {
    const { box, labels, rimNames } = arrangeNames(view === "wide" ? circle : { ...circle, petals }, settings[view]);
    const around = rimNames.map((rimName, place) => drawRimName(rimName, `${view}-${place}`));
    return html`<svg class="${view}" viewBox="${formatViewBox(box)}" role="img" aria-label="${description}"><use href="#petals"/>${around}${renderMarks(labels)}</svg>`;
  };
  return html`<svg class="marks" aria-hidden="true"><defs>${renderHatchPattern()}<g id="petals">${renderMarks(drawCircle(circle))}</g></defs></svg>
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
