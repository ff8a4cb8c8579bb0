// A picture of a report as PNG: the same bytes for the same report.
import { createCanvas, GlobalFonts, type Image, loadImage, Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import {
  type Drawing,
  hatch,
  hatchLines,
  type LogoMark,
  type Mark,
  type PathMark,
  px,
  shapeStyles,
  type TextMark,
  textStyles,
} from "../../report/drawing/marks.ts";
import type { Palette } from "../../report/drawing/palette.ts";
import { drawPicture, type PictureName } from "../../report/drawing/pictures.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { fontFiles } from "../fonts.ts";
import { posterBrand } from "../pdf/brand.ts";
import type { PdfOptions } from "../pdf/report-pdf.ts";

/** Width of the picture in pixels. */
const width = 1200;

const families = { regular: "report-regular", bold: "report-bold" } as const;

/** Makes the fonts known to the canvas; once in a process. */
export function registerCanvasFonts(): void {
  for (const cut of ["regular", "bold"] as const) {
    if (!GlobalFonts.has(families[cut])) GlobalFonts.registerFromPath(fontFiles[cut], families[cut]);
  }
}

/**
 * The picture.
 * @param model with glyphs in the fonts for all of its texts
 * @throws `not_acceptable` for a report of stored results without scores
 */
export async function picturePng(
  model: ReportModel,
  name: PictureName,
  { palette, fonts, brand }: Pick<PdfOptions, "palette" | "fonts" | "brand">,
): Promise<Buffer> {
  return drawingPng(drawPicture(model, name, fonts.width, posterBrand(brand, model)), { palette, brand });
}

/** A drawing as PNG, 1,200 pixels wide. */
export async function drawingPng(
  drawing: Drawing,
  { palette, brand }: Pick<PdfOptions, "palette" | "brand">,
): Promise<Buffer> {
  const logo = brand.logo === null ? null : await loadImage(brand.logo.png);
  const scale = width / drawing.width;
  const canvas = createCanvas(width, Math.round(drawing.height * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  paint(context, drawing.marks, { palette, logo });
  return canvas.encode("png");
}

interface Paints {
  readonly palette: Palette;
  readonly logo: Image | null;
}

function paint(context: SKRSContext2D, marks: readonly Mark[], paints: Paints): void {
  const { palette, logo } = paints;
  for (const mark of marks) {
    context.save();
    if (mark.kind === "group") {
      context.translate(mark.x, mark.y);
      context.scale(mark.scale ?? 1, mark.scale ?? 1);
      paint(context, mark.marks, paints);
    } else if (mark.kind === "logo") {
      if (logo !== null) paintLogo(context, logo, mark);
    } else if (mark.kind === "text") {
      paintText(context, mark, palette);
    } else {
      paintShape(context, mark, palette);
    }
    context.restore();
  }
}

function paintLogo(context: SKRSContext2D, logo: Image, { x, y, width: wide, height }: LogoMark): void {
  const scale = Math.min(wide / logo.width, height / logo.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(logo, x, y, scale * logo.width, scale * logo.height);
}

function paintShape(
  context: SKRSContext2D,
  mark: Exclude<Mark, { kind: "group" | "logo" | "text" }>,
  palette: Palette,
): void {
  const { fill, stroke, width: line, round, dash } = shapeStyles[mark.role];
  const path = mark.kind === "path" ? new Path2D(mark.d) : circlePath(mark.x, mark.y, mark.radius);
  if (fill === "hatch" && mark.kind === "path") paintHatch(context, path, mark, palette);
  else if (fill !== null && fill !== "hatch") {
    context.fillStyle = palette[fill];
    context.fill(path);
  }
  if (stroke === null) return;
  context.strokeStyle = palette[stroke];
  context.lineWidth = line;
  context.lineCap = round ? "round" : "butt";
  context.setLineDash([...(dash ?? [])]);
  context.stroke(path);
}

function circlePath(x: number, y: number, radius: number): Path2D {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  return path;
}

function paintHatch(context: SKRSContext2D, path: Path2D, { box }: PathMark, palette: Palette): void {
  context.save();
  context.fillStyle = palette.ground;
  context.fill(path);
  context.clip(path);
  context.strokeStyle = palette.second;
  context.lineWidth = hatch.width;
  context.beginPath();
  for (const [x1, y1, x2, y2] of hatchLines(box)) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
  context.restore();
}

function paintText(context: SKRSContext2D, { role, x, y, size, anchor, text }: TextMark, palette: Palette): void {
  const { bold, ink } = textStyles[role];
  context.font = `${px(size)}px ${families[bold ? "bold" : "regular"]}`;
  context.fillStyle = palette[ink];
  context.textAlign = anchor === "middle" ? "center" : anchor === "end" ? "right" : "left";
  context.fillText(text, x, y);
}
