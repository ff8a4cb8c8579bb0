// What is wanted most: a paragraph for each value that leads, two beside each other.
import type { ReportMostWanted, ReportMostWantedEntry, ReportValue } from "../../report/report-model.ts";
import { type Block, beside, stacked, textBlock } from "./blocks.ts";
import type { Layout } from "./layout.ts";

const columns = 2;
const gutter = 22;

/** Head, rows of values, and who is close behind; each block stands whole on a page. */
export function mostWantedBlocks({ title, note, entries, closeBehind }: ReportMostWanted, layout: Layout): Block[] {
  const { model, column, fonts, sizes } = layout;
  const cells = entries.flatMap((entry, index) => {
    const value = model.values.find((each) => each.valueId === entry.valueId);
    return value === undefined ? [] : [cellOf(entry, value, index % columns, layout)];
  });
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, index) =>
    beside(cells.slice(index * columns, (index + 1) * columns)),
  );
  const head = stacked(
    [textBlock("H2", title, column, sizes.section, fonts), textBlock("P", note, column, sizes.note, fonts)],
    1,
  );
  const [first, ...others] = rows;
  return [
    first === undefined ? head : stacked([head, first], 5),
    ...others,
    ...(closeBehind === null ? [] : [textBlock("P", closeBehind.text, column, sizes.note, fonts)]),
  ];
}

function cellOf(
  { text, portrait }: ReportMostWantedEntry,
  { name, goal }: ReportValue,
  at: number,
  layout: Layout,
): Block {
  const { column, fonts, sizes, langOf } = layout;
  const width = (column.width - (columns - 1) * gutter) / columns;
  const place = { x: column.x + at * (width + gutter), width };
  const paragraph = (words: string, setting: (typeof sizes)["body"], options = {}) =>
    textBlock("P", words, place, setting, fonts, options);
  const blocks = stacked(
    [
      textBlock("H3", name.text, place, { ...sizes.lead, bold: true }, fonts, langOf(name)),
      paragraph(goal.text, sizes.note, langOf(goal)),
      ...(portrait === null
        ? []
        : [paragraph(`${portrait.high} ${portrait.cost}`, sizes.body), paragraph(portrait.question, sizes.heading)]),
      ...(text === null ? [] : [paragraph(text, sizes.note)]),
    ],
    2,
  );
  return {
    height: blocks.height + 5,
    draw(pen, y) {
      pen.artifact(() => pen.document.rect(place.x, y, width, 1.5).fill(pen.palette.fill));
      blocks.draw(pen, y + 5);
    },
  };
}
