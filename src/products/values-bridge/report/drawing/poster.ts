// The poster: the life wanted alone, on one page to be framed.
import { Refusal } from "../../../../kernel/errors/refusal.ts";
import { chosenValues } from "../headline.ts";
import type { ReportModel } from "../report-model.ts";
import type { ReportValue } from "../report-value.ts";
import { reportLanguageFor } from "../words/language.ts";
import { namesAround } from "./circle.ts";
import { lineMark, type Mark, type TextRole, textMark, textStyles } from "./marks.ts";
import { rim, wantedMarks } from "./petals.ts";
import type { TextWidth } from "./text-width.ts";
import { wrap, wrapEvenly } from "./wrap.ts";

/** A part of the poster, with its tag in a PDF. */
export interface PosterPart {
  /** Null: decoration. */
  readonly tag: "P" | "H1" | "H2" | "H3" | "Figure" | null;
  /** Of a figure, for those who do not see it. */
  readonly alt?: string;
  /** BCP 47 tag, where it may be another one than the report's. */
  readonly language?: string;
  readonly marks: readonly Mark[];
}

/** The head: the logo if there is one that can be drawn, else the words. */
export interface PosterBrand {
  readonly words: string;
  readonly hasLogo: boolean;
}

export const posterWidth = 800;

/** Heights of a poster as wide as `posterWidth`, by paper. */
export const posterHeights = { a4: 1131, letter: 1035 } as const;

const margin = 64;
const inner = posterWidth - 2 * margin;
const logo = { width: 260, height: 56 } as const;
const columns = 3;
const gutter = 32;
const nameLine = 1.2 * textStyles.title.size;
const goalLine = 1.3 * textStyles.plain.size;
/** More values than these leave the circle too little room. */
const mostValues = 6;

/** The values that a poster names. None: the answers choose none. */
export function posterValues(model: ReportModel): readonly ReportValue[] {
  return chosenValues(model).slice(0, mostValues);
}

/** All parts, from top to bottom. @throws `not_acceptable` for answers that name no value as wanted most */
export function posterParts(
  model: ReportModel,
  brand: PosterBrand,
  text: TextWidth,
  height: number,
): readonly PosterPart[] {
  const chosen = posterValues(model);
  if (chosen.length === 0) throw new Refusal("not_acceptable", "These answers name no value to make a poster of.");
  const head = headParts(model, brand, text);
  const foot = valueParts(chosen, text, height);
  const { texts, say, list } = reportLanguageFor([model.language]);
  const shown = model.values.map((value) => ({ ...value, mostWanted: chosen.includes(value) }));
  const { labels, box } = namesAround(shown, { width: text, size: 17, halfWidth: 360 });
  const [, boxTop, right, boxBottom] = box;
  const [top, room] = [head.bottom + 20, foot.top - head.bottom - 48];
  const scale = Math.min(room / (boxBottom - boxTop), inner / (2 * Math.max(right, rim)));
  const y = top + (room - scale * (boxBottom - boxTop)) / 2 - scale * boxTop;
  const petals = wantedMarks(shown.map(({ ideal, mostWanted }) => ({ score: ideal.score, strong: mostWanted })));
  const circle: Mark = { kind: "group", x: posterWidth / 2, y, scale, marks: [...petals, ...labels] };
  const alt = say(texts.posterDescription, {
    count: shown.length,
    values: list(chosen.map(({ name }) => name.text)),
  });
  return [...head.parts, { tag: "Figure", alt, marks: [circle] }, ...foot.parts];
}

function headParts({ cover, language }: ReportModel, brand: PosterBrand, text: TextWidth) {
  const parts: PosterPart[] = [];
  let y = margin - 12;
  if (brand.hasLogo) {
    parts.push({ tag: "Figure", alt: brand.words, marks: [{ kind: "logo", x: margin, y, ...logo }] });
  } else {
    const [words = ""] = wrap(brand.words, inner, font("muted", text), 1);
    parts.push({ tag: "P", marks: [textMark("muted", margin, y + 34, words)] });
  }
  y += logo.height + 28;
  const lines = (words: string, role: TextRole, size: number, most: number) =>
    wrapEvenly(words, inner, { ...font(role, text), size }, most).map((line): Mark => {
      y += 1.2 * size;
      return { kind: "text", role, x: margin, y: y - 0.25 * size, size, anchor: "start", text: line };
    });
  const { posterTitle } = reportLanguageFor([language]).texts;
  const { size } = textStyles.display;
  const fitting = Math.min(size, (0.999 * size * inner) / text(posterTitle, size, true));
  parts.push({ tag: "H1", marks: lines(posterTitle, "display", fitting, 1) });
  const nameAndDate = [cover?.name, cover?.date].filter((each) => each != null).join(" · ");
  if (nameAndDate !== "") parts.push({ tag: "P", marks: lines(nameAndDate, "lead", textStyles.lead.size, 2) });
  return { parts, bottom: y };
}

/** Names and goals, up to the lower margin. */
function valueParts(values: readonly ReportValue[], text: TextWidth, height: number) {
  const perRow = values.length === 4 ? 2 : columns;
  const width = (inner - (perRow - 1) * gutter) / perRow;
  const cells = values.map(({ name, goal }) => ({
    name: { ...name, lines: wrap(name.text, width, font("title", text), 2) },
    goal: { ...goal, lines: wrap(goal.text, width, font("plain", text), 4) },
  }));
  const rows = Array.from({ length: Math.ceil(cells.length / perRow) }, (_, row) =>
    cells.slice(row * perRow, (row + 1) * perRow),
  );
  const heightOf = (row: typeof cells) =>
    Math.max(...row.map(({ name, goal }) => name.lines.length * nameLine + goal.lines.length * goalLine)) + 34;
  const top = height - margin - rows.reduce((sum, row) => sum + heightOf(row), -12);
  const parts: PosterPart[] = [];
  let y = top;
  for (const row of rows) {
    for (const [index, { name, goal }] of row.entries()) {
      const x = margin + index * (width + gutter);
      const first = y + 10 + textStyles.title.size;
      const below = first + name.lines.length * nameLine - 6;
      parts.push(
        { tag: null, marks: [lineMark("accentRule", x, y, x + width, y)] },
        {
          tag: "H2",
          language: name.language,
          marks: name.lines.map((line, at) => textMark("title", x, first + at * nameLine, line)),
        },
        {
          tag: "P",
          language: goal.language,
          marks: goal.lines.map((line, at) => textMark("plain", x, below + at * goalLine, line)),
        },
      );
    }
    y += heightOf(row);
  }
  return { parts, top };
}

function font(role: TextRole, width: TextWidth) {
  const { size, bold } = textStyles[role];
  return { size, bold, width };
}
