// A drawing as a list of marks. Each has a meaning; one table has the style of each meaning.

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
  readonly role: "label" | "strong";
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly anchor: Anchor;
  readonly text: string;
}

export type Mark = PathMark | CircleMark | TextMark;

/** The side of a text at its position. */
export type Anchor = "start" | "middle" | "end";

/** A part of the palette. */
export type Ink =
  | ("ground" | "text" | "muted" | "ring" | "fill" | "tint" | "edge" | "second")
  | ("pale" | "paleTint" | "paleSecond")
  | ("direction0" | "direction1" | "direction2" | "direction3");

export interface ShapeStyle {
  /** `hatch`: lines of the second hue on the ground; pale: of a paler one. */
  readonly fill: Ink | "hatch" | "paleHatch" | null;
  readonly stroke: Ink | null;
  readonly width: number;
  readonly round?: boolean;
  readonly dash?: readonly [number, number];
}

/** The line is the life wanted, the filled part the life today, a pale tint is room, a hatch is more than wanted. */
export const shapeStyles = {
  direction0: { fill: "direction0", stroke: null, width: 0 },
  direction1: { fill: "direction1", stroke: null, width: 0 },
  direction2: { fill: "direction2", stroke: null, width: 0 },
  direction3: { fill: "direction3", stroke: null, width: 0 },
  ring: { fill: null, stroke: "ring", width: 1.5 },
  averageHalo: { fill: null, stroke: "ground", width: 4 },
  average: { fill: null, stroke: "muted", width: 1.5, dash: [6, 4] },
  tint: { fill: "tint", stroke: "edge", width: 1 },
  fill: { fill: "fill", stroke: null, width: 0 },
  over: { fill: "hatch", stroke: "second", width: 1.5 },
  paleTint: { fill: "paleTint", stroke: "pale", width: 0.75 },
  paleFill: { fill: "pale", stroke: null, width: 0 },
  paleOver: { fill: "paleHatch", stroke: "paleSecond", width: 1 },
  paleLine: { fill: null, stroke: "muted", width: 3, round: true },
  halo: { fill: null, stroke: "ground", width: 9 },
  line: { fill: null, stroke: "text", width: 5, round: true },
  whiskerHalo: { fill: null, stroke: "ground", width: 5, round: true },
  whisker: { fill: null, stroke: "text", width: 2, round: true },
  whiskerToday: { fill: null, stroke: "fill", width: 2, round: true },
  missing: { fill: null, stroke: "muted", width: 1.5, dash: [4, 4] },
  track: { fill: null, stroke: "ring", width: 2 },
  bar: { fill: "tint", stroke: "edge", width: 1 },
  barOver: { fill: "hatch", stroke: "second", width: 1.5 },
  paleBar: { fill: "paleTint", stroke: "pale", width: 0.75 },
  paleBarOver: { fill: "paleHatch", stroke: "paleSecond", width: 1 },
  dot: { fill: "fill", stroke: "ground", width: 1.5 },
  before: { fill: "ground", stroke: "muted", width: 2 },
  barHalo: { fill: null, stroke: "ground", width: 8 },
  barLine: { fill: null, stroke: "text", width: 4, round: true },
} as const satisfies Readonly<Record<string, ShapeStyle>>;

/** The meaning of a shape. */
export type ShapeRole = keyof typeof shapeStyles;

/** Lines of a hatch are this far apart, at 45 degrees, and this wide. */
export const hatch = { pitch: 7, width: 2.5 } as const;

/** A straight line as a mark. */
export function createLine(role: ShapeRole, x1: number, y1: number, x2: number, y2: number): PathMark {
  const d = `M${formatLength(x1)},${formatLength(y1)}L${formatLength(x2)},${formatLength(y2)}`;
  return { kind: "path", role, d };
}

/** A rectangle with round corners as a mark. */
export function createBox(role: ShapeRole, [left, top, right, bottom]: Box, corner: number): PathMark {
  const r = Math.min(corner, (right - left) / 2, (bottom - top) / 2);
  const arc = (x: number, y: number) =>
    `A${formatLength(r)},${formatLength(r)},0,0,1,${formatLength(x)},${formatLength(y)}`;
  const d = `M${formatLength(left + r)},${formatLength(top)}L${formatLength(right - r)},${formatLength(top)}${arc(right, top + r)}L${formatLength(right)},${formatLength(bottom - r)}${arc(right - r, bottom)}L${formatLength(left + r)},${formatLength(bottom)}${arc(left, bottom - r)}L${formatLength(left)},${formatLength(top + r)}${arc(left + r, top)}Z`;
  return { kind: "path", role, d };
}

/** A length in a picture, with at most two decimals. */
export function formatLength(length: number): string {
  return String(Math.round(length * 100) / 100 + 0);
}
