// Blocks are measured before they are placed, so that each one stands whole on a page.
import type { StructureOptions } from "pdfkit";
import { wrap, wrapEvenly } from "../../report/drawing/wrap.ts";
import type { ReportFonts } from "../fonts.ts";
import { type Pen, type Setting, writeLine } from "./pen.ts";

/** Something with a height. @param y of its top */
export interface Block {
  readonly height: number;
  readonly draw: (pen: Pen, y: number) => void;
}

/** A column of a page. */
export interface Column {
  readonly x: number;
  readonly width: number;
}

const lineHeight = 1.28;
/** Height of the baseline in a line of a font of size 1. */
const ascent = 0.95;
/** Longer texts than this do not come up; the bound keeps a page from running over. */
const mostLines = 200;

/** The lines of a text in a column. */
export function linesOf(text: string, width: number, { size, bold = false }: Setting, fonts: ReportFonts): string[] {
  return wrap(text, width, { size, bold, width: fonts.width }, mostLines);
}

function evenLinesOf(text: string, width: number, { size, bold = false }: Setting, fonts: ReportFonts): string[] {
  return wrapEvenly(text, width, { size, bold, width: fonts.width }, mostLines);
}

/** Height of a number of lines. */
export function heightOf(lines: number, { size }: Setting): number {
  return lines * lineHeight * size;
}

/** Writes lines, of which all but the last end in a space, so that words do not run together where they are read out. */
export function writeLines(pen: Pen, lines: readonly string[], x: number, y: number, setting: Setting): void {
  lines.forEach((line, index) => {
    const words = index < lines.length - 1 && !line.endsWith("-") ? `${line} ` : line;
    writeLine(pen, words, x, y + heightOf(index, setting) + ascent * setting.size, setting);
  });
}

/** A text as one element. */
export function textBlock(
  tag: string,
  text: string,
  { x, width }: Column,
  setting: Setting,
  fonts: ReportFonts,
  options?: StructureOptions,
): Block {
  // Of a title no line is left with one word.
  const lines = tag === "H1" ? evenLinesOf(text, width, setting, fonts) : linesOf(text, width, setting, fonts);
  return {
    height: heightOf(lines.length, setting),
    draw: (pen, y) => pen.leaf(tag, () => writeLines(pen, lines, x, y, setting), options),
  };
}

/** Entries of a list with what stands before each. */
export function listBlock(
  entries: readonly (readonly [label: string, text: string])[],
  { x, width }: Column,
  setting: Setting,
  fonts: ReportFonts,
): Block {
  const indent = 1.4 * setting.size;
  const gap = 0.2 * setting.size;
  const items = entries.map(([label, text]) => ({ label, lines: linesOf(text, width - indent, setting, fonts) }));
  const heights = items.map(({ lines }) => heightOf(lines.length, setting) + gap);
  return {
    height: heights.reduce((sum, height) => sum + height, 0),
    draw(pen, top) {
      pen.branch("L", (list) => {
        let y = top;
        items.forEach(({ label, lines }, index) => {
          list.branch("LI", (item) => {
            item.leaf("Lbl", () => writeLines(item, [label], x, y, setting));
            item.leaf("LBody", () => writeLines(item, lines, x + indent, y, setting));
          });
          y += heights[index] ?? 0;
        });
      });
    },
  };
}

/** Blocks one below the other. */
export function stacked(blocks: readonly Block[], gap: number): Block {
  const height = blocks.reduce((sum, block) => sum + block.height + gap, blocks.length === 0 ? 0 : -gap);
  return {
    height,
    draw(pen, top) {
      let y = top;
      for (const block of blocks) {
        block.draw(pen, y);
        y += block.height + gap;
      }
    },
  };
}

/** Blocks side by side; each knows its column. */
export function beside(blocks: readonly Block[]): Block {
  return {
    height: Math.max(0, ...blocks.map(({ height }) => height)),
    draw: (pen, y) => {
      for (const block of blocks) block.draw(pen, y);
    },
  };
}
