// What follows the values that are wanted most: differences, changes, pairs and questions, and how to read it all.

import type { StructureOptions } from "pdfkit";
import { gapMarks, gapRowOf, ticksOf } from "../../report/drawing/gap-rows.ts";
import { gapSampleMarks } from "../../report/drawing/legend.ts";
import type { ReportList, ReportPairs, ReportValue } from "../../report/report-model.ts";
import { type Block, beside, heightOf, linesOf, listBlock, stacked, textBlock, writeLines } from "./blocks.ts";
import type { Layout } from "./layout.ts";
import { legendBlock } from "./legend.ts";
import { paint } from "./paint.ts";
import { type Pen, writeLine } from "./pen.ts";

/** Parts of the width of a row: names up to the chart, the chart, the words. */
const chartFrom = 0.395;
const chartTo = 0.635;
const wordsFrom = 0.665;

/** Sizes of the chart, against those on screens. */
const zoom = 0.62;

/** Title and note of the differences, and what their marks mean. */
export function differencesHead(layout: Layout): Block {
  const { model, column, fonts, sizes } = layout;
  const { title, note } = model.differences;
  const texts = [textBlock("H2", title, column, sizes.section, fonts), textBlock("P", note, column, sizes.note, fonts)];
  return stacked(
    model.picture === null ? texts : [...texts, legendBlock(model.picture.legend, gapSampleMarks, "start", layout)],
    1,
  );
}

/** The ends of the scale over the chart. */
export function scaleEnds({ model, column, fonts, sizes }: Layout): Block {
  if (model.picture === null) return stacked([], 0);
  const { lowest, highest } = model.scale;
  const [left, right] = [column.x + chartFrom * column.width, column.x + chartTo * column.width];
  const line = heightOf(1, sizes.note);
  const [low = ""] = linesOf(lowest.text, (right - left) / 2 + 20, sizes.note, fonts);
  const [high = ""] = linesOf(highest.text, (right - left) / 2 + 20, sizes.note, fonts);
  return {
    height: line + 2,
    draw(pen, y) {
      // The notes of the circle say the same where it is read out.
      pen.artifact(() => {
        const baseline = y + 2 + 0.95 * sizes.note.size;
        writeLine(pen, low, left - 4, baseline, sizes.note);
        writeLine(pen, high, right + 4 - fonts.width(high, sizes.note.size, false), baseline, sizes.note);
      });
    },
  };
}

/** The rows of all groups, each group a table of its own under its title. @param least height of a row */
export function differenceRows(layout: Layout, least: number): readonly (readonly Block[])[] {
  const { model } = layout;
  const byId = new Map(model.values.map((value) => [value.valueId, value]));
  return model.differences.groups.map(({ title, valueIds }) => {
    const values = valueIds.flatMap((id) => byId.get(id) ?? []);
    let table: { readonly pen: Pen; readonly close: () => void } | undefined;
    return values.map((value, index): Block => {
      const heading = index === 0 ? groupHeading(title, layout) : undefined;
      const row = rowBlock(value, layout, least);
      return {
        height: (heading?.height ?? 0) + row.height,
        draw(pen, y) {
          heading?.draw(pen, y);
          table ??= pen.open("Table");
          row.draw(table.pen, y + (heading?.height ?? 0));
          if (index === values.length - 1) table.close();
        },
      };
    });
  });
}

function groupHeading(title: string, { column, fonts, sizes }: Layout): Block {
  const above = 5;
  const text = textBlock("H3", title, column, sizes.heading, fonts);
  return {
    height: above + text.height + 2.5,
    draw(pen, y) {
      text.draw(pen, y + above);
      pen.artifact(() =>
        pen.document.rect(column.x, y + above + text.height + 0.5, column.width, 0.5).fill(pen.palette.ring),
      );
    },
  };
}

function rowBlock(value: ReportValue, { model, column, fonts, sizes, langOf }: Layout, least: number): Block {
  const { name, standing, difference, statements, ideal, current } = value;
  const room = (model.picture === null ? wordsFrom : chartFrom) * column.width - 10;
  const names = linesOf(name.text, room, sizes.heading, fonts);
  const lastName = fonts.width(names.at(-1) ?? "", sizes.heading.size, true);
  const isOneLine = lastName + 6 + fonts.width(standing, sizes.note.size, false) <= room;
  const standings = isOneLine ? [standing] : linesOf(standing, room, sizes.note, fonts);
  const lines = names.length + (isOneLine ? 0 : standings.length);
  const wordsSetting = value.gap?.named === false ? sizes.note : sizes.heading;
  const words = linesOf(difference ?? "", (1 - wordsFrom) * column.width, wordsSetting, fonts);
  const textHeight = Math.max(heightOf(lines, sizes.heading), heightOf(words.length, wordsSetting));
  const above = Math.max(least, textHeight + 1.5);
  const behind = statements.flatMap(({ text, standing: rated }) =>
    linesOf(`${text.text}: ${rated}`, column.width - 10, sizes.small, fonts),
  );
  const height = above + heightOf(behind.length, sizes.small) + (behind.length === 0 ? 0 : 2);
  return {
    height,
    draw(pen, y) {
      const middle = y + above / 2;
      const first = middle - heightOf(lines, sizes.heading) / 2;
      if (model.picture !== null) {
        const [left, right] = [column.x + chartFrom * column.width, column.x + chartTo * column.width];
        const row = gapRowOf({ ideal, current });
        const marks = gapMarks(row, ticksOf(model.scale), { left: 0, right: (right - left) / zoom, y: 0 });
        pen.artifact(() => {
          pen.document.save().translate(left, middle).scale(zoom);
          paint(pen, marks);
          pen.document.restore();
        });
      }
      pen.branch("TR", (cells) => {
        const drawName = () => {
          writeLines(cells, names, column.x, first, sizes.heading);
          const below = first + heightOf(isOneLine ? names.length - 1 : names.length, sizes.heading);
          const x = isOneLine ? column.x + lastName + 6 : column.x;
          // The smaller letters stand on the same line.
          writeLines(cells, standings, x, below + (isOneLine ? sizes.heading.size - sizes.note.size : 0), sizes.note);
        };
        cells.leaf("TH", drawName, { scope: "Row", ...langOf(name) });
        cells.leaf("TD", () => {
          const top = middle - heightOf(words.length, wordsSetting) / 2;
          if (difference !== null) {
            writeLines(cells, words, column.x + wordsFrom * column.width, top, wordsSetting);
          }
          writeLines(cells, behind, column.x + 10, y + above, sizes.small);
        });
      });
    },
  };
}

/** Pairs and questions side by side; what stands alone has the whole width. */
export function pairsAndQuestions(layout: Layout): Block {
  const { model, column, fonts, sizes } = layout;
  const gutter = 20;
  const width = (column.width - gutter) / 2;
  const areBoth = model.pairs !== null && model.questions !== null;
  const left = areBoth ? { x: column.x, width } : column;
  const right = areBoth ? { x: column.x + width + gutter, width } : column;
  const numbered = (model.questions?.entries ?? []).map((entry, index) => [`${index + 1}.`, entry] as const);
  return beside([
    ...(model.pairs === null ? [] : [pairsBlock(model.pairs, left, layout)]),
    ...(model.questions === null
      ? []
      : [
          stacked(
            [
              textBlock("H2", model.questions.title, right, sizes.section, fonts),
              listBlock(numbered, right, sizes.body, fonts),
            ],
            2,
          ),
        ]),
  ]);
}

function pairsBlock({ title, note, kinds }: ReportPairs, column: Layout["column"], { fonts, sizes }: Layout): Block {
  const text = (tag: string, words: string, setting = sizes.note) => textBlock(tag, words, column, setting, fonts);
  return stacked(
    [
      text("H2", title, sizes.section),
      text("P", note),
      ...kinds.flatMap((kind) => [
        ...kind.pairs.map((pair) => text("P", pair.text, sizes.heading)),
        text("P", kind.note),
      ]),
    ],
    2,
  );
}

/** Sentences, each with a bullet. */
export function readingBlock({ title, entries }: ReportList, { column, fonts, sizes }: Layout): Block {
  const bullets = entries.map((entry) => ["•", entry] as const);
  return stacked(
    [textBlock("H2", title, column, sizes.section, fonts), listBlock(bullets, column, sizes.body, fonts)],
    2,
  );
}

/** A title, a note if there is one, and sentences. @param options of the sentences, such as another language */
export function textsBlock(
  title: string,
  note: string | null,
  texts: readonly string[],
  layout: Layout,
  options: StructureOptions = {},
): Block {
  const { column, fonts, sizes } = layout;
  return stacked(
    [
      textBlock("H2", title, column, sizes.section, fonts),
      ...(note === null ? [] : [textBlock("P", note, column, sizes.note, fonts)]),
      ...texts.map((text) => textBlock("P", text, column, sizes.body, fonts, options)),
    ],
    2,
  );
}

/** Where the results came from. */
export function sourceBlock({ model, column, fonts, sizes }: Layout): Block {
  return stacked(
    model.source.map((sentence) => textBlock("P", sentence, column, sizes.small, fonts)),
    0,
  );
}
