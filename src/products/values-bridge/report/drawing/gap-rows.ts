// Wanted and today of one value on one track.
import { boxMark, lineMark, type Mark, px } from "./marks.ts";

/** What a track shows; positions are scores of 0 to 1. */
export interface GapRow {
  /** Between the two lives; null without both, or if they are the same. */
  readonly bar: { readonly from: number; readonly to: number; readonly over: boolean } | null;
  /** The life today. */
  readonly dot: number | null;
  /** The life wanted. */
  readonly line: number | null;
}

/** Sizes of the parts, in pixels of a page: heights of bar, line and ticks, radius of the dot. */
export const gapSizes = { bar: 10, line: 22, tick: 8, dot: 7, corner: 2 } as const;

/** More points than these are too many for a tick each. */
const mostTicks = 21;

/** What the track of a value shows. */
export function gapRowOf({
  ideal,
  current,
}: {
  readonly ideal: number | null;
  readonly current: number | null;
}): GapRow {
  const isBar = ideal !== null && current !== null && ideal !== current;
  const bar = isBar ? { from: Math.min(ideal, current), to: Math.max(ideal, current), over: current > ideal } : null;
  return { bar, dot: current, line: ideal };
}

/** Positions of the points of the answer scale, 0 to 1; only the ends where there are many. */
export function ticksOf({ min, max }: { readonly min: number; readonly max: number }): readonly number[] {
  const points = max - min + 1;
  return points > mostTicks ? [0, 1] : Array.from({ length: points }, (_, index) => index / (max - min));
}

/** A track as marks. @param y of its middle */
export function gapMarks(
  { bar, dot, line }: GapRow,
  ticks: readonly number[],
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: number },
): readonly Mark[] {
  const at = (score: number) => left + (right - left) * score;
  const upright = (role: "barHalo" | "barLine", x: number, height: number) =>
    lineMark(role, x, y - height / 2, x, y + height / 2);
  const tickLine = (x: number) => `M${px(x)},${px(y - gapSizes.tick / 2)}V${px(y + gapSizes.tick / 2)}`;
  const track = `M${px(left)},${px(y)}H${px(right)}${ticks.map((tick) => tickLine(at(tick))).join("")}`;
  const half = gapSizes.bar / 2;
  const marks: Mark[] = [
    { kind: "path", role: "track", d: track, box: [left, y - gapSizes.tick / 2, right, y + gapSizes.tick / 2] },
  ];
  if (bar !== null) {
    const role = bar.over ? "barOver" : "bar";
    marks.push(boxMark(role, [at(bar.from), y - half, at(bar.to), y + half], gapSizes.corner));
  }
  if (dot !== null) marks.push({ kind: "circle", role: "dot", x: at(dot), y, radius: gapSizes.dot });
  if (line !== null) {
    marks.push(upright("barHalo", at(line), gapSizes.line), upright("barLine", at(line), gapSizes.line - 4));
  }
  return marks;
}
