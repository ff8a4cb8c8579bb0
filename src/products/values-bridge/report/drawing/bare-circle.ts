// The circle without names, for the last hosted page.
import { findValidAccent, type ReportBranding } from "../branding.ts";
import type { ReportModel } from "../report-model.ts";
import { drawCircle, toCircle } from "./circle.ts";
import { createPalette } from "./palette.ts";
import { rim } from "./petals.ts";
import { renderMarksFile } from "./svg.ts";

/** The circle without names as SVG, in light and dark colours; undefined if no value is scored. */
export function drawBareCircle(model: ReportModel, branding: ReportBranding): string | undefined {
  if (model.values.every(({ ideal, current }) => ideal.score === null && current.score === null)) return undefined;
  const accent = findValidAccent(branding);
  const edge = rim + 4;
  const box = [-edge, -edge, edge, edge] as const;
  return renderMarksFile(
    drawCircle(toCircle(model)),
    box,
    createPalette(accent, "light"),
    createPalette(accent, "dark"),
  );
}
