// The circle of values as marks around the origin.
import { mostNames } from "../model/rules.ts";
import type { ReportValue } from "../report-model.ts";
import { type CircleLabel, type NameSetting, nameMarks, rankMarks } from "./circle-labels.ts";
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

/** The circle with names, or with places where there are too many names. @param values in the order of the circle */
export function circleWithNames(values: readonly ReportValue[], setting: NameSetting): CircleDrawing {
  return { petals: petalsOf(values), ...namesAround(values, setting) };
}

/** What stands around the petals: names, or places where there are too many names. */
export function namesAround(values: readonly ReportValue[], setting: NameSetting): Omit<CircleDrawing, "petals"> {
  if (values.length > mostNames) return ranksAround(values);
  const labels = nameMarks(
    values.map(({ name, mostWanted }): CircleLabel => ({ text: name.text, strong: mostWanted })),
    setting,
  );
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

/** The circle with places in the life wanted. */
export function circleWithRanks(values: readonly ReportValue[]): CircleDrawing {
  return { petals: petalsOf(values), ...ranksAround(values) };
}

function ranksAround(values: readonly ReportValue[]): Omit<CircleDrawing, "petals"> {
  const labels = values.map(({ ideal, mostWanted }): CircleLabel => {
    return { text: ideal.displayRank === null ? "–" : String(ideal.displayRank), strong: mostWanted };
  });
  const edge = rim + 38;
  return { labels: rankMarks(labels), box: [-edge, -edge, edge, edge] };
}

/** All petals around the origin. @param values in the order of the circle */
export function petalsOf(values: readonly ReportValue[]): readonly Mark[] {
  return petalMarks(
    values.map(({ ideal, current }) => ({ ideal: ideal.score, current: current.score, interval: ideal.interval })),
  );
}
