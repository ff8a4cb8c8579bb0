// Marks as SVG: their elements and styles, and files of them.
import { html, type SafeHtml } from "@remix-run/html-template";
import { type Box, formatLength, hatch, type Mark, type ShapeRole, type ShapeStyle, shapeStyles } from "./marks.ts";
import type { Palette } from "./palette.ts";

const namespace = html.raw`xmlns="http://www.w3.org/2000/svg"`;

/** Marks as an SVG file without title, with only the styles that they need. @param dark colours on dark screens */
export function renderMarksFile(marks: readonly Mark[], box: Box, palette: Palette, dark?: Palette): string {
  const roles = new Set(marks.map(({ role }) => role));
  const isHatched = [...roles].some((role) => /over$/i.test(role));
  const darkStyles =
    dark && `@media screen and (prefers-color-scheme:dark){${renderRoleStyles(dark, roles, isHatched)}}`;
  const styles = renderRoleStyles(palette, roles, isHatched) + (darkStyles ?? "");
  const pattern = isHatched ? html`<defs>${renderHatchPattern()}</defs>` : "";
  const [left, top, right, bottom] = box;
  const [width, height] = [formatLength(right - left), formatLength(bottom - top)];
  return String(
    html`<svg ${namespace} viewBox="${formatViewBox(box)}" width="${width}" height="${height}"><style>${html.raw`${styles}`}</style>${pattern}${renderMarks(marks)}</svg>`,
  );
}

/** An SVG file without white space between elements, and with a title and a description for screen readers. */
export function renderDescribedSvg(
  svg: string,
  { language, title }: { readonly language: string; readonly title: string },
  description: string,
): string {
  const about = html`<svg ${namespace} role="img" aria-labelledby="title desc" lang="${language}" `;
  const captions = html`<title id="title">${title}</title><desc id="desc">${description}</desc>`;
  return svg
    .replace(/>\s+</g, "><")
    .replace(` ${namespace}`, "")
    .replace("<svg ", () => String(about))
    .replace(">", () => `>${captions}`);
}

/** A box as the attribute `viewBox`. */
export function formatViewBox([left, top, right, bottom]: Box): string {
  return [left, top, right - left, bottom - top].map(formatLength).join(" ");
}

/** Each mark as an element of the class `m-` and its role. */
export function renderMarks(marks: readonly Mark[]): SafeHtml {
  return html`${marks.map(renderMark)}`;
}

function renderMark(mark: Mark): SafeHtml {
  switch (mark.kind) {
    case "path":
      return html`<path class="m-${mark.role}" d="${mark.d}"/>`;
    case "circle":
      return html`<circle class="m-${mark.role}" cx="${formatLength(mark.x)}" cy="${formatLength(mark.y)}" r="${formatLength(mark.radius)}"/>`;
    case "text":
      return html`<text class="m-${mark.role}" x="${formatLength(mark.x)}" y="${formatLength(mark.y)}" font-size="${formatLength(mark.size)}" text-anchor="${mark.anchor}">${mark.text}</text>`;
  }
}

/** The hatched fills. A document needs them once. */
export function renderHatchPattern(): SafeHtml {
  return html`${drawPattern("hatch")}${drawPattern("paleHatch")}`;
}

function drawPattern(name: "hatch" | "paleHatch"): SafeHtml {
  const { pitch, width } = hatch;
  return html`<pattern id="${name}" width="${pitch}" height="${pitch}" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path class="m-ground" d="M0,0H${pitch}V${pitch}H0Z"/><path class="m-${name}" d="M0,${pitch / 2}H${pitch}" stroke-width="${width}"/></pattern>`;
}

/** Styles of all marks. Only selectors of a single class apply within `use`. */
export function renderMarkStyles(ink: Palette): string {
  const texts = `.m-label{fill:${ink.text}}.m-strong{fill:${ink.text};font-weight:600}.m-direction{fill:${ink.muted}}.m-rim{fill:none}`;
  return renderRoleStyles(ink, new Set(Object.keys(shapeStyles)), true) + texts;
}

function renderRoleStyles(ink: Palette, roles: ReadonlySet<string>, isHatched: boolean): string {
  const hatchStyles = `.m-ground{fill:${ink.ground}}.m-hatch{fill:none;stroke:${ink.second}}.m-paleHatch{fill:none;stroke:${ink.paleSecond}}`;
  const shapes = Object.entries(shapeStyles).filter(([role]) => roles.has(role));
  return (
    (isHatched ? hatchStyles : "") +
    shapes.map(([role, style]) => renderShapeRule(role as ShapeRole, style, ink)).join("")
  );
}

function renderShapeRule(role: ShapeRole, { fill, stroke, width, round, dash }: ShapeStyle, ink: Palette) {
  const fillStyle = fill === null ? "none" : fill === "hatch" || fill === "paleHatch" ? `url(#${fill})` : ink[fill];
  const strokeStyle = stroke === null ? "" : `;stroke:${ink[stroke]};stroke-width:${width}`;
  const ends = `${round ? ";stroke-linecap:round" : ""}${dash === undefined ? "" : `;stroke-dasharray:${dash.join(" ")}`}`;
  return `.m-${role}{fill:${fillStyle}${strokeStyle}${ends}}`;
}
