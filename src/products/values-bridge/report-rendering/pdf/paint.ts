// Marks on a page.
import {
  hatch,
  hatchLines,
  type Mark,
  type PathMark,
  type ShapeStyle,
  shapeStyles,
  type TextMark,
  textStyles,
} from "../../report/drawing/marks.ts";
import type { Desk } from "./pen.ts";

/** Draws marks, around the origin that the document has. @param logo as PNG, for posters */
export function paint(desk: Desk, marks: readonly Mark[], logo: Buffer | null = null): void {
  const { document } = desk;
  for (const mark of marks) {
    document.save();
    if (mark.kind === "group") {
      document.translate(mark.x, mark.y).scale(mark.scale ?? 1);
      paint(desk, mark.marks, logo);
    } else if (mark.kind === "logo") {
      if (logo !== null) document.image(logo, mark.x, mark.y, { fit: [mark.width, mark.height] });
    } else if (mark.kind === "text") {
      paintText(desk, mark);
    } else {
      const style = shapeStyles[mark.role];
      if (style.fill === "hatch" && mark.kind === "path") paintHatch(desk, mark);
      outline(desk, mark);
      fillAndStroke(desk, style);
    }
    document.restore();
  }
}

function outline({ document }: Desk, mark: Exclude<Mark, { kind: "group" | "logo" | "text" }>): void {
  if (mark.kind === "path") document.path(mark.d);
  else document.circle(mark.x, mark.y, mark.radius);
}

function fillAndStroke({ document, palette }: Desk, { fill, stroke, width, round, dash }: ShapeStyle): void {
  if (stroke !== null) document.lineWidth(width).lineCap(round ? "round" : "butt");
  if (dash !== undefined) document.dash(dash[0], { space: dash[1] });
  // A hatch is on the page already: its outline alone is left.
  const filled = fill === null || fill === "hatch" ? null : palette[fill];
  if (filled !== null && stroke !== null) document.fillAndStroke(filled, palette[stroke]);
  else if (filled !== null) document.fill(filled);
  else if (stroke !== null) document.stroke(palette[stroke]);
}

function paintHatch({ document, palette }: Desk, { d, box }: PathMark): void {
  document.save();
  document.path(d).fill(palette.ground);
  document.path(d).clip();
  for (const [x1, y1, x2, y2] of hatchLines(box)) document.moveTo(x1, y1).lineTo(x2, y2);
  document.lineWidth(hatch.width).stroke(palette.second);
  document.restore();
}

function paintText({ document, palette }: Desk, { role, x, y, size, anchor, text }: TextMark): void {
  const { bold, ink } = textStyles[role];
  document
    .font(bold ? "bold" : "regular")
    .fontSize(size)
    .fillColor(palette[ink]);
  const width = anchor === "start" ? 0 : document.widthOfString(text);
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  // Lines end in a space, so that words do not run together where they are read out.
  document.text(`${text} `, left, y, { lineBreak: false, baseline: "alphabetic" });
}
