// Tracks: what is wanted and lived of one value on a line, by scores of 0 to 1.
import type { ReportChange, ReportLife, ReportOthers, ReportValue } from "../report-model.ts";
import { createBox, createLine, formatLength, type Mark, type ShapeRole } from "./marks.ts";

interface Span {
  readonly role: ShapeRole;
  readonly from: number;
  readonly to: number;
}

/** The content of a track, in scores. */
interface Track {
  /** Between two scores. */
  readonly bar?: Span | null;
  /** The life today. */
  readonly dot?: number | null;
  /** The life wanted. */
  readonly line?: number | null;
  /** Errors of scores: of the life wanted above the track, of the life today below it. */
  readonly whiskers?: readonly Span[];
}

/** Sizes of the parts, in pixels of a page: heights of bar, line and ticks, radius of the dot. */
export const gapSizes = { bar: 10, line: 22, tick: 8, dot: 7, corner: 2, whisker: 11.5 } as const;

/** With more points, only the ends have a tick. */
const maxTicks = 21;

/** Scores of ticks: at the points of the answer scale. */
export function placeTicks({ min, max }: { readonly min: number; readonly max: number }): readonly number[] {
  const points = max - min + 1;
  return points > maxTicks ? [0, 1] : Array.from({ length: points }, (_, index) => index / (max - min));
}

/** A track as marks, from the origin to the right. */
function drawTrack(
  { bar = null, dot = null, line = null, whiskers = [] }: Track,
  ticks: readonly number[],
  length: number,
): readonly Mark[] {
  const upright = (role: ShapeRole, score: number, height: number) =>
    createLine(role, length * score, -height / 2, length * score, height / 2);
  const ends = `${formatLength(-gapSizes.tick / 2)}V${formatLength(gapSizes.tick / 2)}`;
  const tickLines = ticks.map((score) => `M${formatLength(length * score)},${ends}`).join("");
  const marks: Mark[] = [{ kind: "path", role: "track", d: `M0,0H${length}${tickLines}` }];
  for (const { role, from, to } of whiskers) {
    const y = role === "whisker" ? -gapSizes.whisker : gapSizes.whisker;
    marks.push(createLine(role, length * from, y, length * to, y));
  }
  if (bar !== null) {
    const [left, right] = [length * bar.from, length * bar.to];
    marks.push(createBox(bar.role, [left, -gapSizes.bar / 2, right, gapSizes.bar / 2], gapSizes.corner));
  }
  if (dot !== null) marks.push({ kind: "circle", role: "dot", x: length * dot, y: 0, radius: gapSizes.dot });
  if (line !== null) marks.push(upright("barHalo", line, gapSizes.line), upright("barLine", line, gapSizes.line - 4));
  return marks;
}

/** Both lives of a value, with their errors. The bar is pale if the difference may be chance. */
export function drawGap(
  { ideal, current, gap }: Pick<ReportValue, "ideal" | "current" | "gap">,
  ticks: readonly number[],
  length: number,
): readonly Mark[] {
  const [line, dot] = [ideal.score, current.score];
  const isBar = line !== null && dot !== null && line !== dot;
  const [role, paleRole] = isBar && dot > line ? (["barOver", "paleBarOver"] as const) : (["bar", "paleBar"] as const);
  const bar = isBar
    ? { role: gap?.named === true ? role : paleRole, from: Math.min(line, dot), to: Math.max(line, dot) }
    : null;
  const createWhisker = (whiskerRole: ShapeRole, { interval }: ReportLife) =>
    interval === null ? [] : [{ role: whiskerRole, from: Math.max(0, interval.low), to: Math.min(1, interval.high) }];
  const whiskers = [...createWhisker("whisker", ideal), ...createWhisker("whiskerToday", current)];
  return drawTrack({ bar, dot, line, whiskers }, ticks, length);
}

/** The length of a track by itself, and the box of its marks. */
export const ownTrack = { length: 200, box: [-8, -13, 208, 13] } as const;

/** A change on a track: a ring for the earlier score; for the later one, the dot of today or the line of the life wanted. */
export function drawChange(
  { life, before, now }: ReportChange["entries"][number],
  ticks: readonly number[],
): readonly Mark[] {
  const bar = { role: "bar", from: Math.min(before, now), to: Math.max(before, now) } as const;
  const track = life === "current" ? { bar, dot: now } : { bar, line: now };
  const ring: Mark = { kind: "circle", role: "before", x: ownTrack.length * before, y: 0, radius: gapSizes.dot - 1 };
  return [...drawTrack(track, ticks, ownTrack.length), ring];
}

/** The rank of a value among other people on a track: the line of the life wanted, and its error. */
export function drawOthers({ place, lowest, highest }: ReportOthers["entries"][number]): readonly Mark[] {
  const whisker = { role: "whisker", from: lowest / 100, to: highest / 100 } as const;
  return drawTrack({ line: place / 100, whiskers: [whisker] }, [0, 0.25, 0.5, 0.75, 1], ownTrack.length);
}
