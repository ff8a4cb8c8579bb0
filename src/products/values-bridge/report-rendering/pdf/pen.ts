// Drawing on pages so that everything is either in the structure tree or an artifact.
import type { PDFDocument, StructureElement, StructureOptions } from "pdfkit";
import type { Palette } from "../../report/drawing/palette.ts";
import type { ReportFonts } from "../fonts.ts";

/** How a text is set; sizes are in points. */
export interface Setting {
  readonly size: number;
  readonly bold?: boolean;
  readonly muted?: boolean;
  readonly accent?: boolean;
}

/** What all of a document is drawn with. */
export interface Desk {
  readonly document: PDFDocument;
  readonly fonts: ReportFonts;
  readonly palette: Palette;
}

/** A place in the structure tree, to draw what belongs there. */
export interface Pen extends Desk {
  /** An element with content. */
  readonly leaf: (tag: string, draw: () => void, options?: StructureOptions) => void;
  /** An element with elements in it. */
  readonly branch: (tag: string, draw: (pen: Pen) => void, options?: StructureOptions) => void;
  /** An element whose content comes bit by bit, until it is closed. */
  readonly open: (tag: string) => { readonly pen: Pen; readonly close: () => void };
  /** What only looks: nobody reads it out. */
  readonly artifact: (draw: () => void) => void;
}

/** A pen that adds to an element. */
export function penAt(parent: StructureElement, desk: Desk): Pen {
  const { document } = desk;
  const open = (tag: string, options?: StructureOptions) => {
    const element = document.struct(tag, options);
    parent.add(element);
    return { pen: penAt(element, desk), element, close: () => element.end() };
  };
  return {
    ...desk,
    open,
    leaf(tag, draw, options) {
      const { element, close } = open(tag, options);
      element.add(draw);
      close();
    },
    branch(tag, draw, options) {
      const { pen, close } = open(tag, options);
      draw(pen);
      close();
    },
    artifact(draw) {
      document.markContent("Artifact", { type: "Layout" });
      draw();
      document.endMarkedContent();
    },
  };
}

/** Writes one line. @param y of the baseline */
export function writeLine({ document, palette }: Desk, line: string, x: number, y: number, setting: Setting): void {
  document
    .font(setting.bold ? "bold" : "regular")
    .fontSize(setting.size)
    .fillColor(setting.accent ? palette.fill : setting.muted ? palette.muted : palette.text)
    .text(line, x, y, { lineBreak: false, baseline: "alphabetic" });
}
