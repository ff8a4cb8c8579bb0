// A picture as an SVG file of its own.
import { html } from "@remix-run/html-template";
import { accentOf, embeddedLogo, type ReportBranding } from "../branding.ts";
import { type Drawing, px } from "../drawing/marks.ts";
import { paletteOf } from "../drawing/palette.ts";
import { drawPicture, type PictureName } from "../drawing/pictures.ts";
import { browserTextWidth } from "../drawing/text-width.ts";
import type { ReportModel } from "../report-model.ts";
import { brandWords } from "../words/brand.ts";
import { fontFamily, hatchPattern, markStyles, marksToSvg } from "./marks-svg.ts";

/**
 * The file. It brings its own light ground, names all values for those who do not see it, and asks for nothing.
 * @throws `not_acceptable` for a report of stored results without scores
 */
export function pictureSvg(model: ReportModel, name: PictureName, branding: ReportBranding): string {
  const logo = name === "poster" ? embeddedLogo(branding) : null;
  const brand = { words: brandWords(branding, model), hasLogo: logo !== null };
  const drawing = drawPicture(model, name, browserTextWidth, brand);
  const title = name === "gaps" ? model.differences.title : model.title.text;
  const about = { language: model.language, title, description: model.picture?.description ?? "" };
  return drawingSvg(drawing, about, branding, logo);
}

/** What a picture is called and shows, for those who do not see it. */
interface Described {
  /** BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
}

/** A drawing as a file. @param logo as a `data:` URL; null: it has none */
export function drawingSvg(
  { width, height, marks }: Drawing,
  { language, title, description }: Described,
  branding: ReportBranding,
  logo: string | null,
): string {
  const palette = paletteOf(accentOf(branding), "light");
  const size = `${px(width)} ${px(height)}`;
  const styles = `svg{direction:ltr;font-family:${fontFamily}}${markStyles(palette)}`;
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${px(width)}" height="${px(height)}" role="img" aria-labelledby="title desc" lang="${language}">
<title id="title">${title}</title>
<desc id="desc">${description}</desc>
<style>${html.raw`${styles}`}</style>
<defs>${hatchPattern()}</defs>
<path class="m-ground" d="M0,0H${px(width)}V${px(height)}H0Z"/>
${marksToSvg(marks, logo)}
</svg>
`);
}
