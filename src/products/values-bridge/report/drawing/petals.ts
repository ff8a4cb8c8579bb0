// The petals of the circle: the line is the life wanted, the filled part the life today, a pale tint is room, a hatch is
// more than wanted.
import { arc } from "d3-shape";
import { addUp } from "../../scoring/exact.ts";
import { createLine, formatLength, type Mark, type PathMark, type ShapeRole } from "./marks.ts";

/** The content of a petal: scores of 0 to 1, null if not scored. */
export interface PetalScores {
  readonly ideal: number | null;
  readonly current: number | null;
  /** True if the value is among the first. All others are pale. */
  readonly isFirst: boolean;
  /** True if the difference of the lives is more than chance; else it is pale. */
  readonly isNamed: boolean;
  /** Ends of a thin line along the petal; null: there is none. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Radius of the score 0, and the distance from there to the score 1. */
const hole = 52;
const reach = 170;

/** Radius of the score 1. */
export const rim = hole + reach;

/** Width of the gap between petals, radius of their corners, least height of what is drawn. */
const gap = 3;
const corner = 3;
const minHeight = 4;

/** Height of a petal without any score. */
const stub = 10;

/** Half of the line's width, by which its round ends are longer. */
const lineEnd = 2.5;

/** The radius of a score. It is linear, so that lengths can be compared. */
export function toRadius(score: number): number {
  return hole + reach * score;
}

/** Clockwise angle of the middle of a petal, from the top, in radians. */
export function toAngle(index: number, count: number): number {
  return (2 * Math.PI * index) / count;
}

/**
 * All petals around the origin, layer by layer.
 * @param values in the order of the circle, 3 or more
 * @param average score of a ring over all petals; null: there is none
 */
export function drawPetals(values: readonly PetalScores[], average: number | null): readonly Mark[] {
  const rings = [hole - 4, toRadius(0.5), rim].map(
    (radius): Mark => ({ kind: "circle", role: "ring", x: 0, y: 0, radius }),
  );
  const petals = values.map((value, index) => createPetal(value, index, values.length));
  const layers = (...roles: readonly ShapeRole[]) =>
    roles.flatMap((layer) => petals.flatMap((marks) => marks.filter(({ role }) => role === layer)));
  return [
    ...rings,
    ...layers("paleTint", "tint", "missing", "paleFill", "fill", "paleOver", "over"),
    ...(average === null ? [] : drawAverage(toRadius(average))),
    ...layers("whiskerHalo", "whisker", "halo", "paleLine", "line"),
  ];
}

/** The backgrounds of directions, from the first value on. @param values their number in each direction */
export function drawDirections(values: readonly number[]): readonly Mark[] {
  const roles = ["direction0", "direction1", "direction2", "direction3"] as const;
  const shape = arc<unknown>().innerRadius(hole).outerRadius(rim).digits(2);
  return toSpans(values).flatMap(({ from, to }, place) => {
    const role = roles[place];
    const d = shape.startAngle(from).endAngle(to)(null);
    return role === undefined || d === null ? [] : [{ kind: "path" as const, role, d }];
  });
}

/** The angles at which directions begin and end. @param values their number in each direction */
export function toSpans(values: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const count = addUp(values);
  const before = (place: number) => addUp(values.slice(0, place)) - 0.5;
  return values.map((_, place) => ({ from: toAngle(before(place), count), to: toAngle(before(place + 1), count) }));
}

/** Only the life wanted: each petal is as long as its score, and the first ones have the full colour. */
export function drawWanted(values: readonly Pick<PetalScores, "ideal" | "isFirst">[]): readonly Mark[] {
  const petals = values.map(({ ideal, isFirst }, index) => {
    const sector = createSector(index, values.length);
    return ideal === null
      ? sector("missing", hole, hole + stub)
      : sector(isFirst ? "fill" : "tint", hole, toRadius(ideal));
  });
  return [{ kind: "circle", role: "ring", x: 0, y: 0, radius: rim }, ...petals];
}

function createPetal(
  { ideal, current, interval, isFirst, isNamed }: PetalScores,
  index: number,
  count: number,
): readonly PathMark[] {
  const sector = createSector(index, count);
  if (ideal === null && current === null) return [sector("missing", hole, hole + stub)];
  const fill = isFirst ? "fill" : "paleFill";
  if (ideal === null) return [sector(fill, hole, toRadius(current ?? 0))];
  const wantedRadius = toRadius(ideal);
  const line = [
    ...(interval === null ? [] : drawWhisker(interval, toAngle(index, count))),
    ...drawLine(isFirst ? "line" : "paleLine", wantedRadius, index, count),
  ];
  if (current === null) return [sector("missing", hole, wantedRadius), ...line];
  const livedRadius = toRadius(current);
  return [
    ...(current < ideal ? [sector(isNamed ? "tint" : "paleTint", hole, wantedRadius)] : []),
    sector(fill, hole, Math.min(wantedRadius, livedRadius)),
    ...(current > ideal ? [sector(isNamed ? "over" : "paleOver", wantedRadius, livedRadius)] : []),
    ...line,
  ];
}

/** Sectors of one petal, with parallel gaps to its neighbours. */
function createSector(index: number, count: number) {
  const middle = toAngle(index, count);
  const half = Math.PI / count;
  const shape = arc<unknown>()
    .startAngle(middle - half)
    .endAngle(middle + half)
    .padRadius(rim)
    .padAngle(gap / rim)
    .cornerRadius(corner)
    .digits(2);
  return (role: ShapeRole, from: number, to: number): PathMark => {
    const outer = Math.max(to, from + minHeight);
    const d = shape.innerRadius(from).outerRadius(outer)(null) ?? "";
    return { kind: "path", role, d };
  };
}

/** The line at the score, with a halo that keeps it visible on every fill. */
function drawLine(line: "line" | "paleLine", radius: number, index: number, count: number): readonly PathMark[] {
  const middle = toAngle(index, count);
  const drawArc = (role: ShapeRole, inset: number): PathMark => {
    const half = Math.PI / count - Math.asin(inset / radius);
    const at = (angle: number) =>
      `${formatLength(radius * Math.sin(angle))},${formatLength(-radius * Math.cos(angle))}`;
    const d = `M${at(middle - half)}A${formatLength(radius)},${formatLength(radius)},0,0,1,${at(middle + half)}`;
    return { kind: "path", role, d };
  };
  return [drawArc("halo", gap / 2), drawArc(line, gap / 2 + lineEnd)];
}

/** A thin line along the petal, over the interval of the life wanted. */
function drawWhisker({ low, high }: NonNullable<PetalScores["interval"]>, angle: number): readonly PathMark[] {
  const at = (score: number) => {
    const radius = toRadius(Math.min(1, Math.max(0, score)));
    return [radius * Math.sin(angle), -radius * Math.cos(angle)] as const;
  };
  return (["whiskerHalo", "whisker"] as const).map((role) => createLine(role, ...at(low), ...at(high)));
}

/** A ring with a halo, visible on petals and between them. */
function drawAverage(radius: number): readonly Mark[] {
  return (["averageHalo", "average"] as const).map((role) => ({ kind: "circle", role, x: 0, y: 0, radius }));
}
