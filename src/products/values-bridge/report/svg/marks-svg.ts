// Marks as SVG elements, and the styles of their classes.
import { html, type SafeHtml } from "@remix-run/html-template";
import {
  hatch,
  type Ink,
  type Mark,
  px,
  type ShapeRole,
  type ShapeStyle,
  shapeStyles,
  type TextRole,
  textStyles,
} from "../drawing/marks.ts";

/** Each mark as an element of the class `m-` and its role. @param logo as a `data:` URL */
export function marksToSvg(marks: readonly Mark[], logo: string | null = null): SafeHtml {
  return html`${marks.map((mark) => markToSvg(mark, logo))}`;
}

function markToSvg(mark: Mark, logo: string | null): SafeHtml | "" {
  switch (mark.kind) {
    case "path":
      return html`<path class="m-${mark.role}" d="${mark.d}"/>`;
    case "circle":
      return html`<circle class="m-${mark.role}" cx="${px(mark.x)}" cy="${px(mark.y)}" r="${px(mark.radius)}"/>`;
    case "text":
      return html`<text class="m-${mark.role}" x="${px(mark.x)}" y="${px(mark.y)}" font-size="${px(mark.size)}" text-anchor="${mark.anchor}">${mark.text}</text>`;
    case "group":
      return html`<g transform="translate(${px(mark.x)} ${px(mark.y)})${mark.scale === undefined ? "" : ` scale(${mark.scale.toFixed(4)})`}">${marksToSvg(mark.marks, logo)}</g>`;
    case "logo":
      return logo === null
        ? ""
        : html`<image x="${px(mark.x)}" y="${px(mark.y)}" width="${mark.width}" height="${mark.height}" preserveAspectRatio="xMinYMin meet" href="${logo}"/>`;
  }
}

/** The hatch that `m-over` and `m-barOver` are filled with; once in a document. */
export function hatchPattern(): SafeHtml {
  const { pitch, width } = hatch;
  return html`<pattern id="hatch" width="${pitch}" height="${pitch}" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path class="m-ground" d="M0,0H${pitch}V${pitch}H0Z"/><path class="m-hatch" d="M0,${pitch / 2}H${pitch}" stroke-width="${width}"/></pattern>`;
}

/** Styles of all classes. Selectors are single classes: others do not reach into what `use` repeats. */
export function markStyles(ink: Readonly<Record<Ink, string>>): string {
  const shapes = Object.entries(shapeStyles).map(([role, style]) => shapeRule(role as ShapeRole, style, ink));
  const texts = Object.entries(textStyles).map(
    ([role, style]) =>
      `.m-${role satisfies string as TextRole}{fill:${ink[style.ink]};font-weight:${style.bold ? 600 : 400}}`,
  );
  return [`.m-ground{fill:${ink.ground}}`, `.m-hatch{fill:none;stroke:${ink.second}}`, ...shapes, ...texts].join("");
}

function shapeRule(
  role: ShapeRole,
  { fill, stroke, width, round, dash }: ShapeStyle,
  ink: Readonly<Record<Ink, string>>,
) {
  const filled = fill === null ? "none" : fill === "hatch" ? "url(#hatch)" : ink[fill];
  const stroked = stroke === null ? "" : `;stroke:${ink[stroke]};stroke-width:${width}`;
  const ends = `${round ? ";stroke-linecap:round" : ""}${dash === undefined ? "" : `;stroke-dasharray:${dash.join(" ")}`}`;
  return `.m-${role}{fill:${filled}${stroked}${ends}}`;
}
