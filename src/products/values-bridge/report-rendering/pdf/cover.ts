// What stands on the first page: the archetype, the circle, and what can be said in short.
import { circleWithNames } from "../../report/drawing/circle.ts";
import { sampleMarks } from "../../report/drawing/legend.ts";
import type { ReportPicture } from "../../report/report-model.ts";
import { type Block, stacked, textBlock } from "./blocks.ts";
import type { Layout } from "./layout.ts";
import { legendBlock } from "./legend.ts";
import { paint } from "./paint.ts";
import type { Setting } from "./pen.ts";

/** A long name of an archetype is set smaller, down to this share, and then in lines. */
const leastName = 0.55;

/** Title, for whom it is, and what people remember: the archetype. */
export function openingBlock(layout: Layout): Block {
  const { model, column, fonts, sizes, langOf } = layout;
  const { title, cover, summary } = model;
  const text = (tag: string, words: string, setting: Setting, options = {}) =>
    textBlock(tag, words, column, setting, fonts, options);
  const whose = [cover?.name, cover?.date].filter((each) => typeof each === "string").join(", ");
  const { archetype } = summary;
  return stacked(
    [
      text("H1", title.text, sizes.title, langOf(title)),
      ...(whose === "" ? [] : [text("P", whose, { ...sizes.body, bold: true })]),
      ...(archetype === null
        ? []
        : [
            ...(archetype.name === null
              ? []
              : [text("H2", archetype.name.text, displaySize(archetype.name.text, layout), langOf(archetype.name))]),
            text("P", archetype.summary.text, sizes.lead, langOf(archetype.summary)),
            ...archetype.between.map((each) => text("P", `${each.name.text}: ${each.text}`, sizes.body)),
          ]),
    ],
    2.5,
  );
}

/** A name that is too long for one line is set smaller. */
function displaySize(name: string, { column, fonts, sizes: { display } }: Layout): Setting {
  const share = column.width / fonts.width(name, display.size, true);
  return { ...display, size: display.size * Math.min(1, Math.max(leastName, share)) };
}

/** "In short", what the archetype stands for, and what was answered. */
export function summaryBlock({ column, fonts, sizes, model }: Layout): Block {
  const { title, sentences, silence, archetype } = model.summary;
  const text = (tag: string, words: string, setting: Setting) => textBlock(tag, words, column, setting, fonts);
  return stacked(
    [
      text("H2", title, sizes.eyebrow),
      ...sentences.map((sentence) => text("P", sentence, sizes.said)),
      ...(silence === null ? [] : [text("P", silence, sizes.body)]),
      ...[...(archetype?.notes ?? []), model.introduction].map((note) => text("P", note, sizes.note)),
    ],
    2.5,
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
export function circleFoot({ introduction, legend, notes }: ReportPicture, layout: Layout): Block {
  const { column, fonts, sizes } = layout;
  const note = textBlock("P", `${introduction} ${notes.join(" ")}`, column, sizes.note, fonts);
  return stacked([legendBlock(legend, sampleMarks, "middle", layout), note], 1);
}
