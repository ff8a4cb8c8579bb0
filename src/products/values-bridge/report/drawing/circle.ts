// The circle of values as marks around the origin, and the names around it.
import type { ReportModel, ReportPicture } from "../report-model.ts";
import type { TeamReportModel } from "../team/team-model.ts";
import type { Anchor, Box, Mark, TextMark } from "./marks.ts";
import { drawDirections, drawPetals, type PetalScores, rim, toAngle, toSpans } from "./petals.ts";
import { computeTextWidth } from "./text-width.ts";
import { wrapName } from "./wrap.ts";

/** A circle as data. */
export interface Circle {
  /** In the order of the circle, 3 or more. */
  readonly petals: readonly (PetalScores & CircleName)[];
  /** The successive petals of each direction, from the first one on; empty: they have none. */
  readonly directions: ReportPicture["directions"];
  /** Score of a ring over all petals; null: there is none. */
  readonly average: number | null;
  /** Least room above and below the rim. */
  readonly margins: readonly [above: number, below: number];
}

interface CircleName {
  readonly name: string;
  readonly isStrong: boolean;
}

/** The circle of a person. */
export function toCircle({ values, picture }: Pick<ReportModel, "values" | "picture">): Circle {
  const hasMostWanted = values.some(({ mostWanted }) => mostWanted);
  const petals = values.map(({ name, ideal, current, gap, mostWanted }) => ({
    name: name.text,
    isStrong: mostWanted,
    ideal: ideal.score,
    current: current.score,
    isFirst: mostWanted || !hasMostWanted,
    isNamed: gap?.named === true,
    interval: null,
  }));
  // The room is for names of one line.
  return { petals, directions: picture.directions, average: null, margins: [30, 34] };
}

/** The circle of a group: means and spreads, with the average wish halfway. */
export function toTeamCircle({ values }: Pick<TeamReportModel, "values">): Circle {
  const petals = values.map(({ name, wanted, lived, spread, isWanted }) => ({
    name: name.text,
    isStrong: isWanted,
    ideal: wanted,
    current: lived,
    isFirst: true,
    isNamed: true,
    interval: spread,
  }));
  return { petals, directions: [], average: 0.5, margins: [8, 8] };
}

/** All petals around the origin, on the backgrounds of their directions. */
export function drawCircle({ petals, directions, average }: Circle): readonly Mark[] {
  return [...drawDirections(directions.map(({ values }) => values)), ...drawPetals(petals, average)];
}

/** The names around a circle. */
export interface CircleNames {
  readonly labels: readonly TextMark[];
  readonly rimNames: readonly RimName[];
  /** Contains them and the circle. */
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
  /** True if it runs the other way, below the circle, so as not to be upside down. */
  readonly isTurned: boolean;
}

/** The setting of names: the size of their font, and half of the width that they and the circle have. */
export interface NameSetting {
  readonly size: number;
  readonly halfWidth: number;
  /** Size of the names of directions, between the rim and the names of values. */
  readonly rimSize?: number;
}

/** The names around the petals. */
export function arrangeNames({ petals, directions, margins }: Circle, setting: NameSetting): CircleNames {
  const rimSize = directions.length === 0 ? 0 : (setting.rimSize ?? 0);
  const labels = drawNames(petals, { ...setting, rimSize });
  const withRim = (margin: number) => (rimSize === 0 ? margin : Math.max(margin, rimSize + 12));
  const box = computeBoundingBox(labels, [withRim(margins[0]), withRim(margins[1])]);
  return { labels, rimNames: placeRimNames(directions, rimSize), box };
}

function placeRimNames(directions: Circle["directions"], size: number): readonly RimName[] {
  return toSpans(directions.map(({ values }) => values)).map(({ from, to }, place) => {
    const isTurned = Math.cos((from + to) / 2) < -0.4;
    const radius = rim + 9 + (isTurned ? size * 0.7 : 0);
    return { text: directions[place]?.text ?? "", size, radius, from, to, isTurned };
  });
}

/** The box of a circle and its names. @param margins least room above and below the rim */
function computeBoundingBox(labels: readonly TextMark[], [above, below]: Circle["margins"]): Box {
  const top = Math.min(-rim - above, ...labels.map(({ y, size }) => y - size));
  const bottom = Math.max(rim + below, ...labels.map(({ y, size }) => y + size / 2));
  const half = Math.max(rim, ...labels.map(computeReach)) + 4;
  return [-half, top, half, bottom];
}

/** The reach of a name from the middle, to the left or right. */
function computeReach({ x, size, anchor, text }: TextMark): number {
  const wide = computeTextWidth(text, size);
  return Math.abs(x) + (anchor === "middle" ? wide / 2 : wide);
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
  readonly role: TextMark["role"];
  readonly anchor: Anchor;
  readonly x: number;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The names around the origin, without overlaps. @param names in the order of the circle */
export function drawNames(names: readonly CircleName[], setting: NameSetting): readonly TextMark[] {
  const { size } = setting;
  const blocks = names.map((each, index) => placeBlock(each, toAngle(index, names.length), setting));
  return separateBlocks(blocks).flatMap(({ lines, role, anchor, x, top }) =>
    lines.map((text, index): TextMark => {
      return { kind: "text", role, x, y: top + (index * lineHeight + ascent) * size, size, anchor, text };
    }),
  );
}

function placeBlock({ name, isStrong }: CircleName, angle: number, setting: NameSetting): Block {
  const { size, halfWidth, rimSize = 0 } = setting;
  const distance = rimSize === 0 ? 14 : 21 + rimSize;
  const measureWidth = (text: string) => computeTextWidth(text, size);
  const x = (rim + distance) * Math.sin(angle);
  const y = -(rim + distance) * Math.cos(angle);
  const anchor = Math.abs(x) < 1 ? "middle" : x > 0 ? "start" : "end";
  const room = anchor === "middle" ? halfWidth : halfWidth - Math.abs(x) - clearance;
  const lines = wrapName(name, longestLine, room, measureWidth);
  const width = Math.max(...lines.map(measureWidth));
  const height = lines.length * lineHeight * size;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  const top = y - (height * (1 + Math.cos(angle))) / 2;
  return { lines, role: isStrong ? "strong" : "label", anchor, x, top, left, width, height };
}

/** Moves overlapping names away from the horizontal axis, past the names that are placed already. */
function separateBlocks(blocks: readonly Block[]): readonly Block[] {
  const placedBlocks: Block[] = [];
  const middleHeight = ({ top, height }: Block) => top + height / 2;
  for (const block of blocks.toSorted((one, other) => Math.abs(middleHeight(one)) - Math.abs(middleHeight(other)))) {
    const upwards = middleHeight(block) < 0;
    let at = block;
    // Each move passes one placed name, and none twice.
    for (let other = placedBlocks.find((each) => isOverlapping(at, each)); other !== undefined; ) {
      const top = upwards ? other.top - at.height - clearance : other.top + other.height + clearance;
      at = { ...at, top };
      other = placedBlocks.find((each) => isOverlapping(at, each));
    }
    placedBlocks.push(at);
  }
  return placedBlocks;
}

function isOverlapping(one: Block, other: Block): boolean {
  return (
    one.left < other.left + other.width + clearance &&
    other.left < one.left + one.width + clearance &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
