// The poster: what people remember of their report, on one page to be framed.
import type { ReportCover, ReportModel, ReportPicture } from "../report-model.ts";
import { circleWithNames } from "./circle.ts";
import { legendMarks } from "./legend.ts";
import { lineMark, type Mark, type TextRole, textMark, textStyles } from "./marks.ts";
import { rim } from "./petals.ts";
import type { TextWidth } from "./text-width.ts";
import { wrap, wrapEvenly } from "./wrap.ts";

/** A report that can be drawn. */
export type DrawableModel = ReportModel & { readonly picture: ReportPicture };

/** A piece of the poster, as a document names it where it is read out. */
export interface PosterPart {
  /** Null: it only looks. */
  readonly tag: "P" | "H1" | "H2" | "H3" | "Figure" | null;
  /** Of a figure, for those who do not see it. */
  readonly alt?: string;
  /** BCP 47 tag, where it may be another one than the report's. */
  readonly language?: string;
  readonly marks: readonly Mark[];
}

/** What stands at the head: the logo if there is one that can be drawn, else the words. */
export interface PosterBrand {
  readonly words: string;
  readonly hasLogo: boolean;
}

export const posterWidth = 800;

/** Heights of a poster as wide as `posterWidth`, by paper. */
export const posterHeights = { a4: 1131, letter: 1035 } as const;

const margin = 56;
const inner = posterWidth - 2 * margin;
const logo = { width: 260, height: 56 } as const;
/** Height of a line of the cover, of which there are three at most. */
const coverLine = 18;
const columns = 3;
const gutter = 28;
/** With more values than these, their goals are left out, so that the circle keeps its room. */
const mostGoals = 6;
/** The first tier holds half of all values at most, which may be any number. */
const mostValues = 12;
/** A long name of an archetype is set smaller, down to this share. */
const leastName = 0.55;

/** All parts, from top to bottom. */
export function posterParts(
  model: DrawableModel,
  brand: PosterBrand,
  text: TextWidth,
  height: number,
): readonly PosterPart[] {
  const head = headParts(model, brand, text);
  const foot = footParts(model, text, height);
  const top = head.bottom + 12;
  const { petals, labels, box } = circleWithNames(model.values, { width: text, size: 17, halfWidth: 360 });
  const [, boxTop, right, boxBottom] = box;
  const scale = Math.min((foot.top - 16 - top) / (boxBottom - boxTop), inner / (2 * Math.max(right, rim)));
  const middle = top + (foot.top - 16 - top - scale * (boxBottom - boxTop)) / 2 - scale * boxTop;
  const circle: Mark = { kind: "group", x: posterWidth / 2, y: middle, scale, marks: [...petals, ...labels] };
  return [...head.parts, { tag: "Figure", alt: model.picture.description, marks: [circle] }, ...foot.parts];
}

function headParts(model: ReportModel, brand: PosterBrand, text: TextWidth) {
  const { title, summary, cover } = model;
  const parts: PosterPart[] = [];
  let y = margin;
  if (brand.hasLogo) {
    parts.push({ tag: "Figure", alt: brand.words, marks: [{ kind: "logo", x: margin, y, ...logo }] });
  } else {
    parts.push({
      tag: "P",
      marks: [textMark("heading", margin, y + 34, shortened(brand.words, logo.width, "heading", text))],
    });
  }
  if (cover !== null) {
    const lines = coverLines(cover, text);
    const first = y + 33 - ((lines.length - 1) * coverLine) / 2;
    const marks = lines.map((line, at) => textMark("muted", posterWidth - margin, first + at * coverLine, line, "end"));
    parts.push({ tag: "P", marks });
  }
  y += logo.height + 28;
  const lines = (words: string, role: TextRole, size: number, most: number) => {
    const { bold } = textStyles[role];
    const marks = wrapEvenly(words, inner, { size, bold, width: text }, most).map((line): Mark => {
      y += 1.2 * size;
      return { kind: "text", role, x: margin, y: y - 0.25 * size, size, anchor: "start", text: line };
    });
    return marks;
  };
  const name = summary.archetype?.name ?? null;
  const lead = summary.archetype?.summary ?? null;
  if (name !== null) parts.push({ tag: "P", language: title.language, marks: lines(title.text, "muted", 17, 1) });
  const heading = name ?? title;
  const { size } = textStyles.display;
  const fitting = Math.max(leastName * size, Math.min(size, (0.999 * size * inner) / text(heading.text, size, true)));
  parts.push({ tag: "H1", language: heading.language, marks: lines(heading.text, "display", fitting, 2) });
  y += 6;
  const said = lead?.text ?? summary.silence ?? "";
  if (said !== "") {
    const language = lead?.language ?? model.language;
    parts.push({ tag: "P", language, marks: lines(said, "lead", textStyles.lead.size, 6) });
  }
  const between = summary.archetype?.between ?? [];
  if (between.length > 2) {
    // A heading has room for two names.
    y += 4;
    const names = between.map((each) => each.name.text).join(" · ");
    parts.push({ tag: "P", marks: lines(names, "heading", textStyles.heading.size, 2) });
  }
  return { parts, bottom: y };
}

/** Name and day in one line, or below each other, as high as a logo. */
function coverLines({ name, date }: ReportCover, text: TextWidth): string[] {
  const { size, bold } = textStyles.muted;
  const words = [name, date].filter((each) => each !== null);
  const room = inner - logo.width - gutter;
  const whole = words.join(" · ");
  if (name === null || text(whole, size, bold) <= room) return [whole];
  return [...wrap(name, room, { size, bold, width: text }, 2), ...words.slice(1)];
}

/** Legend, what is wanted most, and what the poster is made of, up to the lower margin. */
function footParts({ mostWanted, picture, values, source }: ReportModel, text: TextWidth, height: number) {
  const parts: PosterPart[] = [];
  const font = (role: TextRole) => ({ size: textStyles[role].size, bold: textStyles[role].bold, width: text });
  const width = (inner - (columns - 1) * gutter) / columns;
  const entries = mostWanted?.entries ?? [];
  const cells = entries
    .flatMap(({ valueId }) => values.find((value) => value.valueId === valueId) ?? [])
    .slice(0, mostValues)
    .map(({ name, goal }) => ({
      name,
      goal,
      names: wrap(name.text, width, font("heading"), 2),
      goals: entries.length > mostGoals ? [] : wrap(goal.text, width, font("muted"), 4),
    }));
  const [nameLine, goalLine] = [1.2 * textStyles.heading.size, 1.28 * textStyles.muted.size];
  const heightOf = (cell: (typeof cells)[number]) =>
    12 + cell.names.length * nameLine + cell.goals.length * goalLine + 12;
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
  const key = legendMarks(picture?.legend ?? [], { width: text, y: 0, room: inner });
  const headRoom = mostWanted === null || rows.length === 0 ? 0 : 40;
  const rowsHeight = rows.reduce((sum, row) => sum + Math.max(...row.map(heightOf)), 0);
  const top = height - margin - rowsHeight - headRoom - key.height - 24;
  const words = picture?.legend.map((entry) => entry.text).join(", ") ?? "";
  parts.push({ tag: "P", marks: words === "" ? [] : [{ kind: "group", x: margin, y: top, marks: key.marks }] });
  let y = top + key.height + 24;
  if (headRoom > 0) parts.push({ tag: "H2", marks: [textMark("heading", margin, y, mostWanted?.title ?? "")] });
  y += headRoom - 24;
  for (const row of rows) {
    row.forEach(({ name, goal, names, goals }, index) => {
      const x = margin + index * (width + gutter);
      const first = y + 12 + 0.95 * textStyles.heading.size;
      const below = first + names.length * nameLine - 2;
      parts.push(
        { tag: null, marks: [lineMark("accentRule", x, y + 4, x + width, y + 4)] },
        {
          tag: "H3",
          language: name.language,
          marks: names.map((line, at) => textMark("heading", x, first + at * nameLine, line)),
        },
        ...(goals.length === 0
          ? []
          : [
              {
                tag: "P",
                language: goal.language,
                marks: goals.map((line, at) => textMark("muted", x, below + at * goalLine, line)),
              } as const,
            ]),
      );
    });
    y += Math.max(...row.map(heightOf));
  }
  const end = shortened(source.at(-1) ?? "", inner, "muted", text);
  parts.push({ tag: "P", marks: [textMark("muted", margin, height - margin + 22, end)] });
  return { parts, top };
}

function shortened(words: string, room: number, role: TextRole, text: TextWidth): string {
  const [line = "", ...more] = wrap(
    words,
    room,
    { size: textStyles[role].size, bold: textStyles[role].bold, width: text },
    2,
  );
  return more.length === 0 ? line : `${line.replace(/-$/, "")}…`;
}
