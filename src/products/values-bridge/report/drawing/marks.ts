// A drawing as a list of marks. Each mark says what it means; how that looks is in one table.

/** What a filled or stroked shape means. */
export type ShapeRole =
  | "ring"
  | "averageHalo"
  | "average"
  | "tint"
  | "fill"
  | "over"
  | "halo"
  | "line"
  | "whiskerHalo"
  | "whisker"
  | "whiskerToday"
  | "missing"
  | "track"
  | "bar"
  | "barOver"
  | "dot"
  | "before"
  | "barHalo"
  | "barLine"
  | "rule"
  | "accentRule";

/** What a text means. */
export type TextRole = "display" | "lead" | "title" | "heading" | "label" | "strong" | "muted" | "words" | "plain";

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

/** A shape; `d` is SVG path data. */
export interface PathMark {
  readonly kind: "path";
  readonly role: ShapeRole;
  readonly d: string;
}

export interface CircleMark {
  readonly kind: "circle";
  readonly role: ShapeRole;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface TextMark {
  readonly kind: "text";
  readonly role: TextRole;
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly anchor: Anchor;
  readonly text: string;
}

/** Marks around another origin. */
export interface GroupMark {
  readonly kind: "group";
  readonly x: number;
  readonly y: number;
  /** How much larger the marks are; 1 unless given. */
  readonly scale?: number;
  readonly marks: readonly Mark[];
}

/** Room for the logo of the partner, which is as large as fits, at the upper left. */
export interface LogoMark {
  readonly kind: "logo";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Mark = PathMark | CircleMark | TextMark | GroupMark | LogoMark;

/** Side of a text that its position is at. */
export type Anchor = "start" | "middle" | "end";

/** A picture of marks, from the origin on. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** A part of the palette. */
export type Ink = "ground" | "text" | "muted" | "ring" | "fill" | "tint" | "edge" | "second";

export interface ShapeStyle {
  /** `hatch`: lines of the second hue on the ground. */
  readonly fill: Ink | "hatch" | null;
  readonly stroke: Ink | null;
  readonly width: number;
  readonly round?: boolean;
  readonly dash?: readonly [number, number];
}

/** The line is the life wanted, the filled part the life today, a pale tint is room, a hatch is more than wanted. */
export const shapeStyles: Readonly<Record<ShapeRole, ShapeStyle>> = {
  ring: { fill: null, stroke: "ring", width: 1.5 },
  averageHalo: { fill: null, stroke: "ground", width: 4 },
  average: { fill: null, stroke: "muted", width: 1.5, dash: [6, 4] },
  tint: { fill: "tint", stroke: "edge", width: 1 },
  fill: { fill: "fill", stroke: null, width: 0 },
  over: { fill: "hatch", stroke: "second", width: 1.5 },
  halo: { fill: null, stroke: "ground", width: 9 },
  line: { fill: null, stroke: "text", width: 5, round: true },
  whiskerHalo: { fill: null, stroke: "ground", width: 5, round: true },
  whisker: { fill: null, stroke: "text", width: 2, round: true },
  whiskerToday: { fill: null, stroke: "fill", width: 2, round: true },
  missing: { fill: null, stroke: "muted", width: 1.5, dash: [4, 4] },
  track: { fill: null, stroke: "ring", width: 2 },
  bar: { fill: "tint", stroke: "edge", width: 1 },
  barOver: { fill: "hatch", stroke: "second", width: 1.5 },
  dot: { fill: "fill", stroke: "ground", width: 1.5 },
  before: { fill: "ground", stroke: "muted", width: 2 },
  barHalo: { fill: null, stroke: "ground", width: 8 },
  barLine: { fill: null, stroke: "text", width: 4, round: true },
  rule: { fill: null, stroke: "ring", width: 1 },
  accentRule: { fill: null, stroke: "fill", width: 3 },
};

export interface TextStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly ink: Ink;
}

export const textStyles: Readonly<Record<TextRole, TextStyle>> = {
  display: { size: 60, bold: true, ink: "fill" },
  lead: { size: 20, bold: false, ink: "text" },
  title: { size: 24, bold: true, ink: "text" },
  heading: { size: 17, bold: true, ink: "text" },
  label: { size: 16, bold: false, ink: "text" },
  strong: { size: 16, bold: true, ink: "text" },
  muted: { size: 14, bold: false, ink: "muted" },
  words: { size: 15, bold: true, ink: "text" },
  plain: { size: 15, bold: false, ink: "text" },
};

/** Lines of a hatch are this far apart, at 45 degrees, and this wide. */
export const hatch = { pitch: 7, width: 2.5 } as const;

/** A straight line as a mark. */
export function lineMark(role: ShapeRole, x1: number, y1: number, x2: number, y2: number): PathMark {
  const d = `M${px(x1)},${px(y1)}L${px(x2)},${px(y2)}`;
  return { kind: "path", role, d };
}

/** A rectangle with round corners as a mark. */
export function boxMark(role: ShapeRole, [left, top, right, bottom]: Box, corner: number): PathMark {
  const r = Math.min(corner, (right - left) / 2, (bottom - top) / 2);
  const arc = (x: number, y: number) => `A${px(r)},${px(r)},0,0,1,${px(x)},${px(y)}`;
  const d = `M${px(left + r)},${px(top)}L${px(right - r)},${px(top)}${arc(right, top + r)}L${px(right)},${px(bottom - r)}${arc(right - r, bottom)}L${px(left + r)},${px(bottom)}${arc(left, bottom - r)}L${px(left)},${px(top + r)}${arc(left + r, top)}Z`;
  return { kind: "path", role, d };
}

/** A text as a mark, as large as its role says. */
export function textMark(role: TextRole, x: number, y: number, text: string, anchor: Anchor = "start"): TextMark {
  return { kind: "text", role, x, y, size: textStyles[role].size, anchor, text };
}

/** A length as pictures write it: two decimals, no more digits than needed. */
export function px(length: number): string {
  return String(Math.round(length * 100) / 100 + 0);
}
