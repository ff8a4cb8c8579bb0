// The team report on one page: the circle of means, and what can be said of the group below it.
import { nameMarks } from "../drawing/circle-labels.ts";
import { sampleMarks, sampleSize } from "../drawing/legend.ts";
import { lineMark, type Mark, type TextRole, textMark, textStyles } from "../drawing/marks.ts";
import { petalMarks, rim } from "../drawing/petals.ts";
import { type PosterPart, posterWidth } from "../drawing/poster.ts";
import type { TextWidth } from "../drawing/text-width.ts";
import { wrap } from "../drawing/wrap.ts";
import type { TeamMark, TeamReportModel, TeamSection, TeamValue } from "./team-model.ts";

const margin = 56;
const inner = posterWidth - 2 * margin;
const columns = 2;
const gutter = 36;
const columnWidth = (inner - gutter) / columns;

const lineOf = (role: TextRole) => 1.28 * textStyles[role].size;

/** All parts, from top to bottom. @param brand what stands at the head @param height of the page */
export function teamParts(
  { label, title, introduction, picture, values, sections, reading }: TeamReportModel,
  brand: string,
  text: TextWidth,
  height: number,
): readonly PosterPart[] {
  const parts: PosterPart[] = [];
  const lines = (words: string, role: TextRole, x: number, top: number, room: number, most = 6) => {
    const { size, bold } = textStyles[role];
    const all = wrap(words, room, { size, bold, width: text }, most);
    const marks = all.map((line, index): Mark => textMark(role, x, top + index * lineOf(role) + size, line));
    return { marks, bottom: top + all.length * lineOf(role) };
  };
  const add = (tag: PosterPart["tag"], { marks, bottom }: ReturnType<typeof lines>) => {
    parts.push({ tag, marks });
    return bottom;
  };
  let y = add("P", lines(brand, "heading", margin, 40, inner, 1)) + 14;
  y = add("P", lines(title, "muted", margin, y, inner, 1)) + 2;
  y = add("H1", lines(label, "title", margin, y, inner, 2)) + 4;
  y = add("P", lines(introduction, "muted", margin, y, inner)) + 8;

  const section = ({ title: head, note, entries, none }: TeamSection, x: number, from: number) => {
    const made: PosterPart[] = [{ tag: null, marks: [lineMark("accentRule", x, from, x + columnWidth, from)] }];
    const put = (tag: PosterPart["tag"], words: string, role: TextRole, top: number, most?: number) => {
      const { marks, bottom } = lines(words, role, x, top, columnWidth, most);
      made.push({ tag, marks });
      return bottom;
    };
    let at = put("H2", head, "heading", from + 6, 2);
    at = put("P", note, "muted", at, 3);
    const said = entries.map(({ name, text: words }) => (words === null ? name.text : `${name.text}: ${words}`));
    at =
      said.length === 0
        ? put("P", none, "words", at + 3, 3)
        : said.reduce((top, each) => put("P", each, "words", top, 2), at + 3);
    return { made, bottom: at };
  };
  const rows = Array.from({ length: Math.ceil(sections.length / columns) }, (_, row) =>
    sections.slice(row * columns, (row + 1) * columns),
  );
  const place = (from: number) => {
    const made: PosterPart[] = [];
    let at = from;
    for (const row of rows) {
      const placed = row.map((each, index) => section(each, margin + index * (columnWidth + gutter), at));
      made.push(...placed.flatMap((each) => each.made));
      at = Math.max(...placed.map(({ bottom }) => bottom)) + 16;
    }
    for (const entry of reading.entries) {
      const { marks, bottom } = lines(entry, "muted", margin, at, inner, 2);
      made.push({ tag: "P", marks });
      at = bottom;
    }
    return { made, bottom: at };
  };
  const below = place(0).bottom;
  const legend = legendParts(picture.legend, text);
  const room = height - margin + 20 - below - legend.height - 12 - y;
  const { marks, box } = teamCircle(values, text);
  const [, top, right, bottom] = box;
  const scale = Math.max(0.4, Math.min(room / (bottom - top), inner / (2 * right)));
  const circle: Mark = { kind: "group", x: posterWidth / 2, y: y - top * scale, scale, marks };
  parts.push({ tag: "Figure", alt: picture.description, marks: [circle] });
  y += (bottom - top) * scale + 4;
  parts.push({ tag: "P", marks: [{ kind: "group", x: margin, y, marks: legend.marks }] });
  return [...parts, ...place(y + legend.height + 8).made];
}

/** The circle around the origin, and what it lies in. */
export function teamCircle(values: readonly TeamValue[], width: TextWidth, size = 16, halfWidth = 360) {
  const petals = petalMarks(
    values.map(({ wanted, lived, spread }) => ({ ideal: wanted, current: lived, interval: spread })),
  );
  const names = values.map(({ name, isWanted }) => ({ text: name.text, strong: isWanted }));
  const labels = nameMarks(names, { width, size, halfWidth });
  const top = Math.min(-rim - 8, ...labels.map((label) => label.y - label.size));
  const bottom = Math.max(rim + 8, ...labels.map((label) => label.y + label.size / 2));
  return { marks: [...petals, ...labels], box: [-halfWidth, top, halfWidth, bottom] as const };
}

const samples = { wanted: "wanted", today: "today", spread: "error" } as const;

/** What a mark of the legend looks like. */
export function teamSample(mark: TeamMark): readonly Mark[] {
  return sampleMarks(samples[mark]);
}

function legendParts(legend: TeamReportModel["picture"]["legend"], text: TextWidth) {
  const { size, bold } = textStyles.muted;
  let x = 0;
  const marks = legend.flatMap(({ mark, text: words }): Mark[] => {
    const at = x;
    x += sampleSize.width + 8 + text(words, size, bold) + 24;
    return [
      { kind: "group", x: at, y: 0, marks: teamSample(mark) },
      textMark("muted", at + sampleSize.width + 8, sampleSize.height - 4, words),
    ];
  });
  return { marks, height: 26 };
}
