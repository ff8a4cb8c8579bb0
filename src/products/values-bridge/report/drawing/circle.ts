// The circle of values as marks around the origin.
import { mostNames } from "../model/rules.ts";
import type { ReportValue } from "../report-model.ts";
import { type CircleLabel, type NameSetting, nameMarks } from "./circle-labels.ts";
import type { Box, Mark, TextMark } from "./marks.ts";
import { petalMarks, rim } from "./petals.ts";

export interface CircleDrawing {
  readonly petals: readonly Mark[];
  readonly labels: readonly TextMark[];
  /** What both lie in. */
  readonly box: Box;
}

/** Room above and below, for names of one line. */
const above = rim + 30;
const below = rim + 34;

/** The circle with its names. @param values in the order of the circle */
export function circleWithNames(values: readonly ReportValue[], setting: NameSetting): CircleDrawing {
  return { petals: petalsOf(values), ...namesAround(values, setting) };
}

/** What stands around the petals: names, or places in the life wanted if there are too many names. */
export function namesAround(values: readonly ReportValue[], setting: NameSetting): Omit<CircleDrawing, "petals"> {
  const isCrowded = values.length > mostNames;
  const labelOf = ({ name, ideal, mostWanted }: ReportValue): CircleLabel => {
    return { text: isCrowded ? String(ideal.displayRank ?? "–") : name.text, strong: mostWanted };
  };
  // Two digits are 1.4 times as wide as they are high: at this size none lies on another.
  const size = Math.min(20, (2 * Math.PI * rim) / values.length / 1.75);
  const labels = nameMarks(values.map(labelOf), isCrowded ? { ...setting, size } : setting);
  const top = Math.min(-above, ...labels.map(({ y, size }) => y - size));
  const bottom = Math.max(below, ...labels.map(({ y, size }) => y + size / 2));
  const half = Math.max(rim, ...labels.map((label) => reachOf(label, setting))) + 4;
  return { labels, box: [-half, top, half, bottom] };
}

/** How far a name reaches from the middle, to the left or right. */
export function reachOf({ x, size, anchor, text, role }: TextMark, { width }: Pick<NameSetting, "width">): number {
  const wide = width(text, size, role === "strong");
  return Math.abs(x) + (anchor === "middle" ? wide / 2 : wide);
}

/** All petals around the origin. @param values in the order of the circle */
export function petalsOf(values: readonly ReportValue[]): readonly Mark[] {
  return petalMarks(
    values.map(({ ideal, current }) => ({ ideal: ideal.score, current: current.score, interval: ideal.interval })),
  );
}
