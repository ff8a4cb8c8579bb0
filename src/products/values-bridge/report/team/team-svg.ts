// The team report as one SVG file: the page that PDF and PNG show.
import { embeddedLogo, type ReportBranding } from "../branding.ts";
import { browserTextWidth } from "../drawing/text-width.ts";
import { drawingSvg } from "../svg/picture-svg.ts";
import { brandWords } from "../words/brand.ts";
import { teamDrawing } from "./team-drawing.ts";
import type { TeamReportModel } from "./team-model.ts";

/** The file, as high as A4 is to its width. */
export function teamSvg(model: TeamReportModel, branding: ReportBranding): string {
  const logo = embeddedLogo(branding);
  const { language, title, label, picture } = model;
  const drawing = teamDrawing(model, { words: brandWords(branding, model), hasLogo: logo !== null }, browserTextWidth);
  const about = { language, title: `${title}: ${label}`, description: picture.description };
  return drawingSvg(drawing, about, branding, logo);
}
