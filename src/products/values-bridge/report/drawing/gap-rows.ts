// Tracks: the life wanted and the life today of one value on a line.
import type { ReportChange, ReportLife, ReportOthers, ReportValue } from "../report-model.ts";
import { createBox, createLine, formatLength, type Mark } from "./marks.ts";

/** The content of a track; positions are scores of 0 to 1. */
export interface GapRow {
  /** Between the two lives; null without both, or if they are the same. */
  readonly bar: null | {
    readonly from: number;
    readonly to: number;
    readonly over: boolean;
    /** Whether it is more than chance. */
    readonly named: boolean;
  };
  /** The life today. */
  readonly dot: number | null;
  /** The life wanted. */
  readonly line: number | null;
  /** Errors of both scores: of the life wanted above the track, of the life today below it. */
  readonly whiskers: readonly {
    readonly role: "whisker" | "whiskerToday";
    readonly from: number;
    readonly to: number;
  }[];
}

/** Sizes of the parts, in pixels of a page: heights of bar, line and ticks, radius of the dot. */
export const gapSizes = { bar: 10, line: 22, tick: 8, dot: 7, corner: 2, whisker: 11.5 } as const;

/** With more points, only the ends have a tick. */
const maxTicks = 21;

/** The content of a value's track. */
export function toGapRow(value: Pick<ReportValue, "ideal" | "current" | "gap">): GapRow {
  const [ideal, current] = [value.ideal.score, value.current.score];
  const whisker = (role: GapRow["whiskers"][number]["role"], { interval }: ReportLife) =>
    interval === null ? [] : [{ role, from: Math.max(0, interval.low), to: Math.min(1, interval.high) }];
  const isBar = ideal !== null && current !== null && ideal !== current;
  const [from, to] = [Math.min(ideal ?? 0, current ?? 0), Math.max(ideal ?? 0, current ?? 0)];
  const bar = isBar ? { from, to, over: current > ideal, named: value.gap?.named === true } : null;
  const whiskers = [...whisker("whisker", value.ideal), ...whisker("whiskerToday", value.current)];
  return { bar, dot: current, line: ideal, whiskers };
}

/** Positions of ticks at the points of the answer scale, 0 to 1. */
export function placeTicks({ min, max }: { readonly min: number; readonly max: number }): readonly number[] {
  const points = max - min + 1;
  return points > maxTicks ? [0, 1] : Array.from({ length: points }, (_, index) => index / (max - min));
}

/** A track as marks. @param y of its middle */
export function drawGap(
  { bar, dot, line, whiskers }: GapRow,
  ticks: readonly number[],
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: number },
): readonly Mark[] {
  const at = (score: number) => left + (right - left) * score;
  const upright = (role: "barHalo" | "barLine", x: number, height: number) =>
    createLine(role, x, y - height / 2, x, y + height / 2);
  const tickLine = (x: number) =>
    `M${formatLength(x)},${formatLength(y - gapSizes.tick / 2)}V${formatLength(y + gapSizes.tick / 2)}`;
  const track = `M${formatLength(left)},${formatLength(y)}H${formatLength(right)}${ticks.map((tick) => tickLine(at(tick))).join("")}`;
  const half = gapSizes.bar / 2;
  const marks: Mark[] = [{ kind: "path", role: "track", d: track }];
  for (const { role, from, to } of whiskers) {
    const height = role === "whisker" ? y - gapSizes.whisker : y + gapSizes.whisker;
    marks.push(createLine(role, at(from), height, at(to), height));
  }
  if (bar !== null) {
    const role = bar.over ? (bar.named ? "barOver" : "paleBarOver") : bar.named ? "bar" : "paleBar";
    marks.push(createBox(role, [at(bar.from), y - half, at(bar.to), y + half], gapSizes.corner));
  }
  if (dot !== null) marks.push({ kind: "circle", role: "dot", x: at(dot), y, radius: gapSizes.dot });
  if (line !== null) {
    marks.push(upright("barHalo", at(line), gapSizes.line), upright("barLine", at(line), gapSizes.line - 4));
  }
  return marks;
}

/** The length of a track by itself, and the box of its marks. */
export const ownTrack = { length: 200, box: [-8, -13, 208, 13] } as const;

/** A change on a track: a ring for the earlier score; for the later one, the dot of today or the line of the life wanted. */
export function drawChange(
  { life, before, now }: ReportChange["entries"][number],
  ticks: readonly number[],
): readonly Mark[] {
  const [from, to] = [Math.min(before, now), Math.max(before, now)];
  const [dot, line] = life === "current" ? [now, null] : [null, now];
  const place = { left: 0, right: ownTrack.length, y: 0 };
  const row = { bar: { from, to, over: false, named: true }, dot, line, whiskers: [] };
  const ring: Mark = { kind: "circle", role: "before", x: ownTrack.length * before, y: 0, radius: gapSizes.dot - 1 };
  return [...drawGap(row, ticks, place), ring];
}

/** The rank of a value among other people on a track: the line of the life wanted, and its error. */
export function drawOthers({ place, lowest, highest }: ReportOthers["entries"][number]): readonly Mark[] {
  const whisker = { role: "whisker", from: lowest / 100, to: highest / 100 } as const;
  const row = { bar: null, dot: null, line: place / 100, whiskers: [whisker] };
  return drawGap(row, [0, 0.25, 0.5, 0.75, 1], { left: 0, right: ownTrack.length, y: 0 });
}
