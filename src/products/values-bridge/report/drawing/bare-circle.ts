// The circle without names, for the last hosted page.
import { findValidAccent, type ReportBranding } from "../branding.ts";
import type { ReportModel } from "../report-model.ts";
import { drawReportPetals } from "./circle.ts";
import { createPalette } from "./palette.ts";
import { rim } from "./petals.ts";
import { renderMarksFile } from "./svg.ts";

/** The circle without names as SVG, in light and dark colours; undefined if no value is scored. */
export function drawBareCircle({ values, picture }: ReportModel, branding: ReportBranding): string | undefined {
  if (values.every(({ ideal, current }) => ideal.score === null && current.score === null)) return undefined;
  const accent = findValidAccent(branding);
  const edge = rim + 4;
  return renderMarksFile(
    drawReportPetals(values, picture.directions),
    [-edge, -edge, edge, edge],
    createPalette(accent, "light"),
    createPalette(accent, "dark"),
  );
}
