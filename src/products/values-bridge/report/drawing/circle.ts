// The circle of values as marks around the origin, and the names around it.
import type { ReportModel, ReportPicture, ReportValue } from "../report-model.ts";
import type { Anchor, Box, Mark, TextMark } from "./marks.ts";
import { drawDirections, drawPetals, rim, toAngle, toSpans } from "./petals.ts";
import { computeTextWidth } from "./text-width.ts";
import { wrapName } from "./wrap.ts";

export interface CircleDrawing {
  readonly petals: readonly Mark[];
  readonly labels: readonly TextMark[];
  readonly rimNames: readonly RimName[];
  /** Contains all of them. */
  readonly box: Box;
}

/** The name of a direction, written along an arc of the rim. */
export interface RimName {
  readonly text: string;
  readonly size: number;
  /** Of its baseline. */
  readonly radius: number;
  /** Clockwise from the top, in radians. */
  readonly from: number;
  readonly to: number;
  /** Whether it runs the other way, below the circle, so as not to be upside down. */
  readonly isTurned: boolean;
}

/** The circle of a report with its directions and names. */
export function drawCircleWithNames(
  { values, picture }: Pick<ReportModel, "values" | "picture">,
  setting: NameSetting,
): CircleDrawing {
  const { directions } = picture;
  return { petals: drawReportPetals(values, directions), ...arrangeNames(values, setting, directions) };
}

type Directions = ReportPicture["directions"];

/** The names around the petals. */
export function arrangeNames(
  values: readonly ReportValue[],
  { rimSize: directionSize = 0, ...setting }: NameSetting,
  directions: Directions = [],
): Omit<CircleDrawing, "petals"> {
  const rimSize = directions.length === 0 ? 0 : directionSize;
  const names = values.map(({ name, mostWanted }): CircleLabel => ({ text: name.text, strong: mostWanted }));
  const labels = drawNames(names, { ...setting, rimSize });
  // Room above and below is for names of one line.
  const [above, below] = [rim + Math.max(30, rimSize + 12), rim + Math.max(34, rimSize + 12)];
  return { labels, rimNames: placeRimNames(directions, rimSize), box: computeBoundingBox(labels, above, below) };
}

function placeRimNames(directions: Directions, size: number): readonly RimName[] {
  return toSpans(directions.map(({ values }) => values)).map(({ from, to }, place) => {
    const isTurned = Math.cos((from + to) / 2) < -0.4;
    const radius = rim + 9 + (isTurned ? size * 0.7 : 0);
    return { text: directions[place]?.text ?? "", size, radius, from, to, isTurned };
  });
}

/** The box of a circle and its names. @param above and below the middle, unless names are further away */
export function computeBoundingBox(labels: readonly TextMark[], above: number, below: number): Box {
  const top = Math.min(-above, ...labels.map(({ y, size }) => y - size));
  const bottom = Math.max(below, ...labels.map(({ y, size }) => y + size / 2));
  const half = Math.max(rim, ...labels.map(computeReach)) + 4;
  return [-half, top, half, bottom];
}

/** How far a name reaches from the middle, to the left or right. */
function computeReach({ x, size, anchor, text }: TextMark): number {
  const wide = computeTextWidth(text, size);
  return Math.abs(x) + (anchor === "middle" ? wide / 2 : wide);
}

/** All petals around the origin, on the backgrounds of their directions. @param values in the order of the circle */
export function drawReportPetals(values: readonly ReportValue[], directions: Directions): readonly Mark[] {
  const hasMostWanted = values.some(({ mostWanted }) => mostWanted);
  const petals = values.map(({ ideal, current, gap, mostWanted }) => ({
    ideal: ideal.score,
    current: current.score,
    isFirst: mostWanted || !hasMostWanted,
    isNamed: gap?.named === true,
    interval: null,
  }));
  return [...drawDirections(directions.map((each) => each.values)), ...drawPetals(petals)];
}

export interface CircleLabel {
  readonly text: string;
  readonly strong: boolean;
}

/** How names are set: the size of their font, and half of the width that they and the circle have. */
export interface NameSetting {
  readonly size: number;
  readonly halfWidth: number;
  /** Size of the names of directions, between the rim and the names of values; 0: there are none. */
  readonly rimSize?: number;
}

/** Longer names may have two lines. */
const longestLine = 13;
/** Least distance of two names, and of a name to the edge of the picture. */
const clearance = 3;
/** Height of a line, and of the baseline within it, for a font of size 1. */
const lineHeight = 1.2;
const ascent = 0.95;

/** A placed name; `top` is that of its first line. */
interface Block {
  readonly lines: readonly string[];
  readonly label: CircleLabel;
  readonly anchor: Anchor;
  readonly x: number;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The names around the origin, without overlaps. @param labels in the order of the circle */
export function drawNames(labels: readonly CircleLabel[], setting: NameSetting): readonly TextMark[] {
  const { size } = setting;
  const blocks = labels.map((label, index) => placeBlock(label, toAngle(index, labels.length), setting));
  return separateBlocks(blocks).flatMap(({ lines, label, anchor, x, top }) =>
    lines.map((text, index) => ({
      kind: "text" as const,
      role: label.strong ? ("strong" as const) : ("label" as const),
      x,
      y: top + (index * lineHeight + ascent) * size,
      size,
      anchor,
      text,
    })),
  );
}

function placeBlock(label: CircleLabel, angle: number, { size, halfWidth, rimSize = 0 }: NameSetting): Block {
  const distance = rimSize === 0 ? 14 : 21 + rimSize;
  const width = (text: string) => computeTextWidth(text, size);
  const x = (rim + distance) * Math.sin(angle);
  const y = -(rim + distance) * Math.cos(angle);
  const anchor = Math.abs(x) < 1 ? "middle" : x > 0 ? "start" : "end";
  const room = anchor === "middle" ? halfWidth : halfWidth - Math.abs(x) - clearance;
  const lines = wrapName(label.text, longestLine, room, width);
  const widest = Math.max(...lines.map(width));
  const height = lines.length * lineHeight * size;
  const leftEdge = anchor === "start" ? x : anchor === "end" ? x - widest : x - widest / 2;
  return {
    lines,
    label,
    anchor,
    x,
    top: y - (height * (1 + Math.cos(angle))) / 2,
    left: leftEdge,
    width: widest,
    height,
  };
}

/** Moves overlapping names away from the horizontal axis, past the names that are placed already. */
function separateBlocks(blocks: readonly Block[]): readonly Block[] {
  const placedBlocks: Block[] = [];
  const middleHeight = ({ top, height }: Block) => top + height / 2;
  for (const block of blocks.toSorted((one, other) => Math.abs(middleHeight(one)) - Math.abs(middleHeight(other)))) {
    const upwards = middleHeight(block) < 0;
    let at = block;
    // Each move passes one placed name, and none twice.
    for (let other = placedBlocks.find((each) => overlap(at, each)); other !== undefined; ) {
      const top = upwards ? other.top - at.height - clearance : other.top + other.height + clearance;
      at = { ...at, top };
      other = placedBlocks.find((each) => overlap(at, each));
    }
    placedBlocks.push(at);
  }
  return placedBlocks;
}

function overlap(one: Block, other: Block): boolean {
  return (
    one.left < other.left + other.width + clearance &&
    other.left < one.left + one.width + clearance &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
