// What stands on the first page: head, summary, circle, what is wanted most.
import { circleWithNames } from "../../report/drawing/circle.ts";
import { sampleMarks, sampleSize } from "../../report/drawing/legend.ts";
import type { ReportMostWanted, ReportPicture, ReportSummary } from "../../report/report-model.ts";
import { type Block, beside, heightOf, linesOf, stacked, textBlock, writeLines } from "./blocks.ts";
import type { Layout } from "./layout.ts";
import { paint } from "./paint.ts";
import { writeLine } from "./pen.ts";

/** Title and introduction. */
export function openingBlock({ model, column, fonts, sizes, langOf }: Layout): Block {
  const { title, introduction } = model;
  return stacked(
    [
      textBlock("H1", title.text, column, sizes.title, fonts, langOf(title)),
      textBlock("P", introduction, column, sizes.lead, fonts),
    ],
    4,
  );
}

/** "In short", with a bar of the accent beside it. */
export function summaryBlock({ title, sentences, silence, archetype }: ReportSummary, layout: Layout): Block {
  const { column, fonts, sizes, langOf } = layout;
  const inner = { x: column.x + 11, width: column.width - 11 };
  const text = (tag: string, words: string, setting = sizes.body, options = {}) =>
    textBlock(tag, words, inner, setting, fonts, options);
  const blocks = stacked(
    [
      text("H2", title, sizes.eyebrow),
      ...(archetype === null
        ? []
        : [
            ...(archetype.name === null
              ? []
              : [text("H3", archetype.name.text, sizes.heading, langOf(archetype.name))]),
            text("P", archetype.summary.text, sizes.body, langOf(archetype.summary)),
            ...archetype.between.map((each) => text("P", `${each.name.text}: ${each.text}`, sizes.body)),
            ...archetype.notes.map((note) => text("P", note, sizes.note)),
            { height: 2, draw: () => undefined },
          ]),
      ...sentences.map((sentence) => text("P", sentence, sizes.said)),
      ...(silence === null ? [] : [text("P", silence)]),
    ],
    2.5,
  );
  return {
    height: blocks.height,
    draw(pen, y) {
      pen.artifact(() => pen.document.rect(column.x, y, 2.5, blocks.height).fill(pen.palette.fill));
      blocks.draw(pen, y);
    },
  };
}

/** The circle's title and what is to know before one looks at it. */
export function circleHead({ title, introduction }: ReportPicture, { column, fonts, sizes }: Layout): Block {
  return stacked(
    [textBlock("H2", title, column, sizes.section, fonts), textBlock("P", introduction, column, sizes.body, fonts)],
    2,
  );
}

/** Names are set at least this large on paper. */
const smallestName = 7.5;

/** Height of a circle whose names are of one or two lines, in its own units. */
const usualHeight = 592;

/** The circle, as large as the height allows; a figure with all values in its alternative text. */
export function circleBlock(picture: ReportPicture, height: number, { model, column, fonts }: Layout): Block {
  const scale = height / usualHeight;
  const size = Math.max(16, smallestName / scale);
  const { petals, labels, box } = circleWithNames(model.values, {
    width: fonts.width,
    size,
    halfWidth: column.width / 2 / scale,
  });
  const [, top, , bottom] = box;
  return {
    height: (bottom - top) * scale,
    draw(pen, y) {
      const { document } = pen;
      const frame = [column.x, y, column.x + column.width, y + (bottom - top) * scale] as const;
      const drawAll = () => {
        document.save();
        document.translate(column.x + column.width / 2, y - top * scale).scale(scale);
        paint(pen, [...petals, ...labels]);
        document.restore();
      };
      pen.leaf("Figure", drawAll, { alt: picture.description, bbox: frame, placement: "Block" });
    },
  };
}

/** Legend and notes of the circle. */
export function circleFoot({ legend, notes }: ReportPicture, { column, fonts, sizes }: Layout): Block {
  const zoom = 0.62;
  const gap = 14;
  const sample = sampleSize.width * zoom;
  const entries = legend.map(({ mark, text }) => ({
    mark,
    text,
    width: sample + 4 + fonts.width(text, sizes.note.size, false),
  }));
  const total = entries.reduce((sum, { width }) => sum + width + gap, -gap);
  const note = textBlock("P", notes.join(" "), column, sizes.note, fonts);
  const height = heightOf(1, sizes.note) + 3;
  return {
    height: height + note.height,
    draw(pen, y) {
      let x = column.x + Math.max(0, (column.width - total) / 2);
      pen.branch("L", (list) => {
        for (const { mark, text, width } of entries) {
          const left = x;
          list.artifact(() => {
            list.document.save();
            list.document.translate(left, y).scale(zoom);
            paint(list, sampleMarks(mark));
            list.document.restore();
          });
          list.branch("LI", (item) => {
            item.leaf("LBody", () => writeLine(item, text, left + sample + 4, y + 0.95 * sizes.note.size, sizes.note));
          });
          x += width + gap;
        }
      });
      note.draw(pen, y + height);
    },
  };
}

const columns = 3;
const gutter = 14;

/** What is wanted most, three beside each other. */
export function mostWantedBlock({ title, note, entries }: ReportMostWanted, layout: Layout): Block {
  const { model, column, fonts, sizes, langOf } = layout;
  const width = (column.width - (columns - 1) * gutter) / columns;
  const cells = entries.flatMap(({ valueId, text }, index) => {
    const value = model.values.find((each) => each.valueId === valueId);
    if (value === undefined) return [];
    const { name, goal } = value;
    const x = column.x + (index % columns) * (width + gutter);
    const goalLines = linesOf(goal.text, width, sizes.note, fonts);
    const lived = linesOf(text ?? "", width, sizes.note, fonts);
    const heading = textBlock("H3", name.text, { x, width }, sizes.heading, fonts, langOf(name));
    const cell: Block = {
      height: 3 + heading.height + heightOf(goalLines.length + (text === null ? 0 : lived.length), sizes.note),
      draw(pen, y) {
        pen.artifact(() => pen.document.rect(x, y, width, 0.5).fill(pen.palette.ring));
        heading.draw(pen, y + 3);
        const top = y + 3 + heading.height;
        pen.leaf("P", () => writeLines(pen, goalLines, x, top, sizes.note), langOf(goal));
        if (text === null) return;
        pen.leaf("P", () => writeLines(pen, lived, x, top + heightOf(goalLines.length, sizes.note), sizes.note));
      },
    };
    return [cell];
  });
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, index) =>
    beside(cells.slice(index * columns, (index + 1) * columns)),
  );
  const head = [textBlock("H2", title, column, sizes.section, fonts), textBlock("P", note, column, sizes.note, fonts)];
  return stacked([stacked(head, 1), ...rows], 4);
}
