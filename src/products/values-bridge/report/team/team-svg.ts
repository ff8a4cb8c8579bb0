// The team report as one SVG file: the page that PDF and PNG show.
import { html } from "@remix-run/html-template";
import { accentOf, type ReportBranding } from "../branding.ts";
import { paletteOf } from "../drawing/palette.ts";
import { posterHeights, posterWidth } from "../drawing/poster.ts";
import { browserTextWidth } from "../drawing/text-width.ts";
import { fontFamily, hatchPattern, markStyles, marksToSvg } from "../svg/marks-svg.ts";
import { brandWords } from "../words/brand.ts";
import { teamParts } from "./team-drawing.ts";
import type { TeamReportModel } from "./team-model.ts";

/** The file, as high as A4 is to its width. */
export function teamSvg(model: TeamReportModel, branding: ReportBranding): string {
  const height = posterHeights.a4;
  const parts = teamParts(model, brandWords(branding, model.language), browserTextWidth, height);
  const styles = `svg{direction:ltr;font-family:${fontFamily}}${markStyles(paletteOf(accentOf(branding), "light"))}`;
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${posterWidth} ${height}" width="${posterWidth}" height="${height}" role="img" aria-labelledby="title desc" lang="${model.language}">
<title id="title">${model.title}</title>
<desc id="desc">${model.picture.description}</desc>
<style>${html.raw`${styles}`}</style>
<defs>${hatchPattern()}</defs>
<path class="m-ground" d="M0,0H${posterWidth}V${height}H0Z"/>
${marksToSvg(parts.flatMap(({ marks }) => marks))}
</svg>
`);
}
