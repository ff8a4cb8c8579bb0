// The legend of what a page draws: each mark with its words, as a list.
import { sampleSize } from "../../report/drawing/legend.ts";
import type { Mark } from "../../report/drawing/marks.ts";
import type { LegendMark, ReportPicture } from "../../report/report-model.ts";
import { type Block, heightOf } from "./blocks.ts";
import type { Layout } from "./layout.ts";
import { paint } from "./paint.ts";
import { writeLine } from "./pen.ts";

/** Size of the samples, against those on screens. */
const zoom = 0.62;

const gap = 14;

/** A legend in lines. @param samplesOf what a mark looks like; nothing: it is left out. @param from where lines stand */
export function legendBlock(
  legend: ReportPicture["legend"],
  samplesOf: (mark: LegendMark) => readonly Mark[],
  from: "start" | "middle",
  { column, fonts, sizes }: Layout,
): Block {
  const sample = sampleSize.width * zoom;
  const entries = legend
    .map(({ mark, text }) => ({
      marks: samplesOf(mark),
      text,
      width: sample + 4 + fonts.width(text, sizes.note.size, false),
    }))
    .filter(({ marks }) => marks.length > 0);
  const rows = rowsOf(entries, column.width, gap);
  const line = heightOf(1, sizes.note) + 2;
  return {
    height: rows.length * line,
    draw(pen, y) {
      pen.branch("L", (list) => {
        rows.forEach((row, index) => {
          const total = row.reduce((sum, { width }) => sum + width + gap, -gap);
          let x = column.x + (from === "start" ? 0 : Math.max(0, (column.width - total) / 2));
          for (const { marks, text, width } of row) {
            const [left, top] = [x, y + index * line];
            list.artifact(() => {
              list.document.save();
              list.document.translate(left, top).scale(zoom);
              paint(list, marks);
              list.document.restore();
            });
            list.branch("LI", (item) => {
              const baseline = top + 0.95 * sizes.note.size;
              item.leaf("LBody", () => writeLine(item, text, left + sample + 4, baseline, sizes.note));
            });
            x += width + gap;
          }
        });
      });
    },
  };
}

/** Entries in lines that are no wider than the room. */
function rowsOf<T extends { readonly width: number }>(entries: readonly T[], room: number, gap: number): T[][] {
  const rows: T[][] = [[]];
  let left = room;
  for (const entry of entries) {
    if (entry.width > left && left < room) {
      rows.push([]);
      left = room;
    }
    rows.at(-1)?.push(entry);
    left -= entry.width + gap;
  }
  return rows;
}
