// The team report on one page: the circle of means, and what can be said of the group below it.
import { brandWords, embeddedLogo, type ReportBranding } from "../branding.ts";
import { nameMarks, reachOf } from "../drawing/circle.ts";
import { legendMarks, sampleMarks } from "../drawing/legend.ts";
import { lineMark, type Mark, type TextMark, type TextRole, textMark, textStyles } from "../drawing/marks.ts";
import { petalMarks, rim } from "../drawing/petals.ts";
import { type PosterBrand, type PosterPart, posterHeights, posterWidth } from "../drawing/poster.ts";
import type { TextWidth } from "../drawing/text-width.ts";
import { wrap } from "../drawing/wrap.ts";
import type { ReportPicture } from "../report-model.ts";
import { browserLettering, drawingSvg, type Lettering } from "../svg/picture-svg.ts";
import type { TeamReportModel, TeamSection, TeamValue } from "./team-model.ts";

const margin = 56;
const inner = posterWidth - 2 * margin;
const columns = 2;
const gutter = 36;
const logo = { width: 200, height: 36 } as const;
const columnWidth = (inner - gutter) / columns;

/** Letters become smaller by these steps where the circle would have too little room otherwise. */
const zooms = [1, 0.94, 0.88, 0.82] as const;
/** Share of its own size that the circle has at least, if smaller letters can give it that, and in any case. */
const circleScales = { wanted: 0.6, least: 0.4 } as const;
/** Sizes of the names before the circle is made to fit, and the size that they are to have then. */
const names = { least: 16, most: 22, step: 2, wanted: 12 } as const;
/** Position of what people want on average. */
const average = 0.5;

/** All parts, from top to bottom. @param height of the page */
export function teamParts(
  model: TeamReportModel,
  brand: PosterBrand,
  text: TextWidth,
  height: number,
): readonly PosterPart[] {
  const place = (zoom: number) => partsAt(zoom, model, brand, text, height);
  const zoom = zooms.find((each) => place(each).scale >= circleScales.wanted) ?? Math.min(...zooms);
  return place(zoom).parts;
}

/** The parts with letters of a size, and how large their circle is. */
function partsAt(
  zoom: number,
  { label, title, introduction, picture, values, sections, reading }: TeamReportModel,
  brand: PosterBrand,
  text: TextWidth,
  height: number,
): { readonly parts: readonly PosterPart[]; readonly scale: number } {
  const parts: PosterPart[] = [];
  const lines = (words: string, role: TextRole, x: number, top: number, room: number, most = 6) => {
    const { bold } = textStyles[role];
    const size = zoom * textStyles[role].size;
    const all = wrap(words, room, { size, bold, width: text }, most);
    const lineHeight = 1.28 * size;
    const marks = all.map((line, index): TextMark => {
      return { ...textMark(role, x, top + index * lineHeight + size, line), size };
    });
    return { marks, bottom: top + all.length * lineHeight };
  };
  const add = (tag: PosterPart["tag"], { marks, bottom }: ReturnType<typeof lines>) => {
    parts.push({ tag, marks });
    return bottom;
  };
  let y = 40;
  if (brand.hasLogo) {
    parts.push({ tag: "Figure", alt: brand.words, marks: [{ kind: "logo", x: margin, y, ...logo }] });
    y += logo.height + 12;
  } else {
    y = add("P", lines(brand.words, "heading", margin, y, inner, 1)) + 14;
  }
  y = add("P", lines(title, "muted", margin, y, inner, 1)) + 2;
  y = add("H1", lines(label, "title", margin, y, inner, 2)) + 4;
  y = add("P", lines(introduction, "muted", margin, y, inner)) + 8;

  const section = ({ title: head, note, entries, none }: TeamSection, x: number, from: number) => {
    const made: PosterPart[] = [{ tag: null, marks: [lineMark("accentRule", x, from, x + columnWidth, from)] }];
    const put = (tag: PosterPart["tag"], { marks, bottom }: ReturnType<typeof lines>) => {
      made.push({ tag, marks });
      return bottom;
    };
    const plain = (words: string, left: number, top: number) =>
      lines(words, "plain", left, top, x + columnWidth - left, 3);
    /** A name and its text: beside it, or below it if it would wrap. */
    const entryLines = (name: string, words: string | null, top: number) => {
      const title = lines(words === null ? name : `${name}:`, "words", x, top, columnWidth, 2);
      if (words === null) return title;
      const end = Math.max(...title.marks.map((mark) => reachOf(mark, { width: text })));
      const size = zoom * textStyles.plain.size;
      const isBeside = title.marks.length === 1 && end + 0.3 * size + text(words, size, false) <= x + columnWidth;
      const told = isBeside ? plain(words, end + 0.3 * size, top) : plain(words, x, title.bottom);
      return { marks: [...title.marks, ...told.marks], bottom: told.bottom + (isBeside ? 0 : 3) };
    };
    let at = put("H2", lines(head, "heading", x, from + 6, columnWidth, 2));
    at = put("P", lines(note, "muted", x, at, columnWidth, 3)) + 3;
    if (entries.length === 0) at = put("P", plain(none, x, at));
    for (const { name, text: words } of entries) at = put("P", entryLines(name.text, words, at));
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
  const legend = legendMarks(picture.legend.map(toLegend), { width: text, y: 0, room: inner });
  const how = lines(picture.introduction, "muted", margin, 0, inner, 3).bottom + 10;
  const room = height - margin + 20 - below - legend.height - how - 12 - y;
  const { marks, top, bottom, scale } = fittedCircle(values, text, room);
  const circle: Mark = { kind: "group", x: posterWidth / 2, y: y - top * scale, scale, marks };
  parts.push({ tag: "Figure", alt: picture.description, marks: [circle] });
  y += (bottom - top) * scale + 4;
  parts.push({ tag: "P", marks: [{ kind: "group", x: margin, y, marks: legend.marks }] });
  y = add("P", lines(picture.introduction, "muted", margin, y + legend.height, inner, 3)) + 10;
  return { parts: [...parts, ...place(y + 4).made], scale };
}

/** The circle within a height, with readable names. */
function fittedCircle(values: readonly TeamValue[], text: TextWidth, room: number) {
  const drawnWith = (size: number) => {
    const { marks, box } = teamCircle(values, text, size, inner / (2 * circleScales.wanted));
    const [left, top, right, bottom] = box;
    const scale = Math.max(circleScales.least, Math.min(room / (bottom - top), inner / (right - left)));
    return { marks, top, bottom, scale };
  };
  let fitted = drawnWith(names.least);
  for (let size = names.least + names.step; size <= names.most; size += names.step) {
    if (fitted.scale * (size - names.step) >= names.wanted) break;
    fitted = drawnWith(size);
  }
  return fitted;
}

/** The circle around the origin, and what it lies in. */
export function teamCircle(values: readonly TeamValue[], width: TextWidth, size = 16, halfWidth = 360) {
  const petals = petalMarks(
    values.map(({ wanted, lived, spread }) => ({ ideal: wanted, current: lived, interval: spread })),
    average,
  );
  const shown = values.map(({ name, isWanted }) => ({ text: name.text, strong: isWanted }));
  const labels = nameMarks(shown, { width, size, halfWidth });
  const top = Math.min(-rim - 8, ...labels.map((label) => label.y - label.size));
  const bottom = Math.max(rim + 8, ...labels.map((label) => label.y + label.size / 2));
  const half = Math.max(rim, ...labels.map((label) => reachOf(label, { width }))) + 4;
  return { marks: [...petals, ...labels], box: [-half, top, half, bottom] as const };
}

type Legend = TeamReportModel["picture"]["legend"];

/** An entry in the marks that the report of a person has: a thin line there says how far a score could be. */
function toLegend({ mark, text }: Legend[number]): ReportPicture["legend"][number] {
  return { mark: mark === "spread" ? "error" : mark, text };
}

/** What a mark of the legend looks like. */
export function teamSample(entry: Legend[number]): readonly Mark[] {
  return sampleMarks(toLegend(entry).mark);
}

/** The file, as high as A4 is to its width. */
export function teamSvg(
  model: TeamReportModel,
  branding: ReportBranding,
  lettering: Lettering = browserLettering,
): string {
  const { language, title, label, picture } = model;
  const brand = { words: brandWords(branding, model), hasLogo: embeddedLogo(branding) !== null };
  const height = posterHeights.a4;
  const marks = teamParts(model, brand, lettering.width, height).flatMap((part) => part.marks);
  const about = { language, title: `${title}: ${label}`, description: picture.description };
  return drawingSvg({ width: posterWidth, height, marks }, about, branding, lettering);
}
