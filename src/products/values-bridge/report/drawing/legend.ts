// The legend of the pictures.
import type { LegendMark, ReportPicture } from "../report-model.ts";
import { gapSizes } from "./gap-rows.ts";
import { boxMark, lineMark, type Mark, textMark, textStyles } from "./marks.ts";
import type { TextWidth } from "./text-width.ts";

export const sampleSize = { width: 27, height: 17 } as const;

const textGap = 8;
const entryGap = 26;
const lineHeight = 28;

/** A sample of a mark of the circle, in a box from the origin on. */
export function sampleMarks(mark: LegendMark): readonly Mark[] {
  const { width, height } = sampleSize;
  if (mark === "wanted") return [lineMark("line", 2.5, height / 2, width - 2.5, height / 2)];
  if (mark === "error") return [lineMark("whisker", width / 2, 1, width / 2, height - 1)];
  const roles = { today: "fill", room: "tint", over: "over", missing: "missing" } as const;
  return [boxMark(roles[mark], [1, 1, width - 1, height - 1], 3)];
}

/** The same for tracks. */
export function trackSampleMarks(mark: LegendMark): readonly Mark[] {
  const { width, height } = sampleSize;
  const [x, y] = [width / 2, height / 2];
  if (mark === "wanted") return [lineMark("barLine", x, y - gapSizes.line / 3, x, y + gapSizes.line / 3)];
  if (mark === "today") return [{ kind: "circle", role: "dot", x, y, radius: gapSizes.dot }];
  if (mark === "error") return [lineMark("whisker", 1, y, width - 1, y)];
  if (mark === "missing") return [];
  const role = mark === "over" ? "barOver" : "bar";
  return [boxMark(role, [1, y - gapSizes.bar / 2, width - 1, y + gapSizes.bar / 2], gapSizes.corner)];
}

/** The legend in lines, each of them in the middle. @param y of the first line's top */
export function legendMarks(
  legend: ReportPicture["legend"],
  { width, y, room }: { readonly width: TextWidth; readonly y: number; readonly room: number },
  samplesOf: (mark: LegendMark) => readonly Mark[] = sampleMarks,
): { readonly marks: readonly Mark[]; readonly height: number } {
  const { size, bold } = textStyles.muted;
  const entries = legend.map(({ mark, text }) => ({
    mark,
    text,
    wide: sampleSize.width + textGap + width(text, size, bold),
  }));
  const lines: (typeof entries)[] = [[]];
  const wideOf = (line: typeof entries) => line.reduce((sum, { wide }) => sum + wide + entryGap, -entryGap);
  for (const entry of entries) {
    const line = lines.at(-1) ?? [];
    if (line.length > 0 && wideOf([...line, entry]) > room) lines.push([entry]);
    else line.push(entry);
  }
  const marks = lines.flatMap((line, index) => {
    let x = (room - wideOf(line)) / 2;
    return line.flatMap(({ mark, text, wide }): Mark[] => {
      const top = y + index * lineHeight;
      const sample: Mark = { kind: "group", x, y: top, marks: samplesOf(mark) };
      const words = textMark("muted", x + sampleSize.width + textGap, top + sampleSize.height - 4, text);
      x += wide + entryGap;
      return [sample, words];
    });
  });
  return { marks, height: lines.length * lineHeight };
}
