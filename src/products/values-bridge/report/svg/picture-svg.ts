// Pictures as SVG: whole files, and the elements and styles of their marks.
import { html, type SafeHtml } from "@remix-run/html-template";
import { systemFonts } from "../../../../presentation/look.ts";
import { accentOf, brandWords, embeddedLogo, type ReportBranding } from "../branding.ts";
import {
  type Box,
  type Drawing,
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
import { type Palette, paletteOf } from "../drawing/palette.ts";
import { drawPicture, type PictureName } from "../drawing/pictures.ts";
import { browserTextWidth, type TextWidth } from "../drawing/text-width.ts";
import type { ReportModel } from "../report-model.ts";

/** The fonts of a picture, as CSS names them, and how wide texts are in them at most. */
export interface Lettering {
  readonly family: string;
  readonly width: TextWidth;
}

export const browserLettering: Lettering = { family: systemFonts, width: browserTextWidth };

/** The file. It brings its own light ground, names all values for those who do not see it, and asks for nothing. */
export function pictureSvg(
  model: ReportModel,
  name: PictureName,
  branding: ReportBranding,
  lettering: Lettering = browserLettering,
): string {
  const hasLogo = name === "poster" && embeddedLogo(branding) !== null;
  const drawing = drawPicture(model, name, lettering.width, { words: brandWords(branding, model), hasLogo });
  const title = name === "gaps" ? model.differences.title : model.title.text;
  const about = { language: model.language, title, description: model.picture.description };
  return drawingSvg(drawing, about, branding, lettering);
}

/** What a picture is called and shows, for those who do not see it. */
interface Described {
  /** BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
}

/** A drawing as a file. */
export function drawingSvg(
  { width, height, marks }: Drawing,
  { language, title, description }: Described,
  branding: ReportBranding,
  { family }: Lettering,
): string {
  const styles = `svg{direction:ltr;font-family:${family}}${markStyles(paletteOf(accentOf(branding), "light"))}`;
  return svgFile(
    [0, 0, width, height],
    html` role="img" aria-labelledby="title desc" lang="${language}">
<title id="title">${title}</title>
<desc id="desc">${description}</desc>`,
    html`<style>${html.raw`${styles}`}</style>
<defs>${hatchPattern()}</defs>
<path class="m-ground" d="M0,0H${px(width)}V${px(height)}H0Z"/>
${marksToSvg(marks, embeddedLogo(branding))}`,
  );
}

/** Marks as a file that says nothing of itself, with the styles that they need alone: pages have many of these. */
export function marksFile(marks: readonly Mark[], box: Box, palette: Palette, family: string): string {
  const drawn = marksToSvg(marks);
  const classes = new Set([...String(drawn).matchAll(/ class="([\w-]+)"/g)].map(([, name]) => name));
  const isHatched = classes.has("m-over") || classes.has("m-barOver");
  const needed = (rule: string, name: string) =>
    classes.has(name) || (isHatched && (name === "m-ground" || name === "m-hatch")) ? rule : "";
  const styles = `svg{font-family:${family}}${markStyles(palette).replace(/\.([\w-]+)\{[^}]*\}/g, needed)}`;
  const pattern = isHatched ? html`<defs>${hatchPattern()}</defs>` : "";
  return svgFile(box, html`>`, html`<style>${html.raw`${styles}`}</style>${pattern}${drawn}`);
}

/** @param head attributes, the end of the tag, and what comes first in it */
function svgFile([left, top, right, bottom]: Box, head: SafeHtml, content: SafeHtml): string {
  const [width, height] = [px(right - left), px(bottom - top)];
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${px(left)} ${px(top)} ${width} ${height}" width="${width}" height="${height}"${head}
${content}
</svg>
`);
}

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
