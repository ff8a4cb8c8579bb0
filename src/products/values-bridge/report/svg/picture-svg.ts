// A picture as an SVG file of its own.
import { html, type SafeHtml } from "@remix-run/html-template";
import { systemFonts } from "../../../../presentation/look.ts";
import { accentOf, embeddedLogo, type ReportBranding } from "../branding.ts";
import { type Box, type Drawing, type Mark, px } from "../drawing/marks.ts";
import { type Palette, paletteOf } from "../drawing/palette.ts";
import { drawPicture, type PictureName } from "../drawing/pictures.ts";
import { browserTextWidth, type TextWidth } from "../drawing/text-width.ts";
import type { ReportModel } from "../report-model.ts";
import { brandWords } from "../words/brand.ts";
import { hatchPattern, markStyles, marksToSvg } from "./marks-svg.ts";

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
