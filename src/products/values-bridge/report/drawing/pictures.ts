// Whole pictures: title, drawing and legend.
import type { ReportModel } from "../report-model.ts";
import type { ReportValue } from "../report-value.ts";
import { circleWithNames, halfWidth } from "./circle.ts";
import { gapMarks, gapRowOf, ticksOf } from "./gap-rows.ts";
import { legendMarks, trackSampleMarks } from "./legend.ts";
import { type Drawing, lineMark, type Mark, textMark, textStyles } from "./marks.ts";
import { type PosterBrand, posterHeights, posterParts, posterWidth } from "./poster.ts";
import type { TextWidth } from "./text-width.ts";
import { wrap, wrapEvenly, wrapName } from "./wrap.ts";

export const pictureNames = ["circle", "gaps", "poster"] as const;
export type PictureName = (typeof pictureNames)[number];

const width = 2 * halfWidth;
const margin = 24;
const titleLine = 1.25 * textStyles.title.size;

/** A picture of a report. @param brand at the head of a poster @throws `not_acceptable` for a poster of which there is none */
export function drawPicture(model: ReportModel, name: PictureName, text: TextWidth, brand: PosterBrand): Drawing {
  if (name === "poster") {
    const height = posterHeights.a4;
    const marks = posterParts(model, brand, text, height).flatMap((part) => part.marks);
    return { width: posterWidth, height, marks };
  }
  return name === "circle" ? circlePicture(model, text) : gapsPicture(model, text);
}

function circlePicture(model: ReportModel, text: TextWidth): Drawing {
  const title = titleMarks(model.title.text, text);
  const { petals, labels, box } = circleWithNames(model.values, { width: text });
  const [, top, , bottom] = box;
  const y = title.height - top;
  const key = legendMarks(model.picture.legend, { width: text, y: y + bottom + 8, room: width });
  const circle: Mark = { kind: "group", x: halfWidth, y, marks: [...petals, ...labels] };
  return { width, height: y + bottom + 8 + key.height + 8, marks: [...title.marks, circle, ...key.marks] };
}

const nameRoom = 250;
const chart = { left: 288, right: 566 } as const;
const wordsAt = 590;
const mostWords = 3;
const nameLine = 1.2 * textStyles.strong.size;

function gapsPicture(model: ReportModel, text: TextWidth): Drawing {
  const title = titleMarks(model.differences.title, text);
  const byId = new Map(model.values.map((value) => [value.valueId, value]));
  const ticks = ticksOf(model.scale);
  const marks: Mark[] = [...title.marks];
  let y = title.height + textStyles.muted.size;
  const ends = { size: textStyles.muted.size, bold: false, width: text };
  const half = (chart.right - chart.left) / 2 + 20;
  const endLines = [wrap(model.scale.lowest.text, half, ends, 1), wrap(model.scale.highest.text, half, ends, 1)];
  marks.push(textMark("muted", chart.left, y, endLines[0]?.[0] ?? ""));
  marks.push(textMark("muted", chart.right, y, endLines[1]?.[0] ?? "", "end"));
  y += 8;
  for (const group of model.differences.groups) {
    marks.push(
      textMark("heading", margin, y + 26, group.title),
      lineMark("rule", margin, y + 36, width - margin, y + 36),
    );
    y += 40;
    for (const value of group.valueIds.flatMap((id) => byId.get(id) ?? [])) {
      const row = rowMarks(value, ticks, y, text);
      marks.push(...row.marks);
      y += row.height;
    }
    y += 8;
  }
  // What has too few answers has a track without a dot.
  const legend = model.picture.legend.filter(({ mark }) => mark !== "missing");
  const key = legendMarks(legend, { width: text, y: y + 12, room: width }, trackSampleMarks);
  return { width, height: y + 12 + key.height + 8, marks: [...marks, ...key.marks] };
}

function rowMarks(
  { name, standing, difference, ideal, current }: ReportValue,
  ticks: readonly number[],
  y: number,
  text: TextWidth,
): { readonly marks: readonly Mark[]; readonly height: number } {
  const names = wrapName(name.text, 40, nameRoom, { size: textStyles.strong.size, bold: true, width: text });
  const standings = wrap(standing, nameRoom, { size: textStyles.muted.size, bold: false, width: text }, 2);
  const font = { size: textStyles.words.size, bold: true, width: text };
  const words = wrap(difference ?? "", width - wordsAt - margin, font, mostWords);
  const height = Math.max(44, 8 + Math.max(names.length + standings.length, words.length) * nameLine);
  const middle = y + height / 2;
  const first = middle - ((names.length + standings.length) * nameLine) / 2 + 0.95 * textStyles.strong.size;
  return {
    marks: [
      ...names.map((line, index) => textMark("strong", margin, first + index * nameLine, line)),
      ...standings.map((line, index) => textMark("muted", margin, first + (names.length + index) * nameLine, line)),
      ...gapMarks(gapRowOf({ ideal, current }), ticks, { ...chart, y: middle }),
      ...words.map((line, index) =>
        textMark("words", wordsAt, middle + 5 + (index - (words.length - 1) / 2) * nameLine, line),
      ),
    ],
    height,
  };
}

function titleMarks(title: string, text: TextWidth): { readonly marks: readonly Mark[]; readonly height: number } {
  const { size } = textStyles.title;
  const lines = wrapEvenly(title, width - 2 * margin, { size, bold: true, width: text }, 3);
  const marks = lines.map((line, index) => textMark("title", width / 2, 20 + size + index * titleLine, line, "middle"));
  return { marks, height: 28 + lines.length * titleLine };
}
