// Samples of marks for legends.
import type { LegendMark } from "../report-model.ts";
import { gapSizes } from "./gap-rows.ts";
import { createBox, createLine, type Mark } from "./marks.ts";

export const sampleSize = { width: 27, height: 17 } as const;

/** A sample of a mark of the circle, in a box at the origin; none for the error, which only tracks show. */
export function drawCircleSample(mark: LegendMark): readonly Mark[] {
  const { width, height } = sampleSize;
  if (mark === "wanted") return [createLine("line", 2.5, height / 2, width - 2.5, height / 2)];
  if (mark === "error") return [];
  if (mark === "spread") return [createLine("whisker", width / 2, 1, width / 2, height - 1)];
  const roles = { today: "fill", room: "tint", over: "over", missing: "missing" } as const;
  return [createBox(roles[mark], [1, 1, width - 1, height - 1], 3)];
}

/** The same for tracks. */
export function drawTrackSample(mark: LegendMark): readonly Mark[] {
  const { width, height } = sampleSize;
  const [x, y] = [width / 2, height / 2];
  if (mark === "wanted") return [createLine("barLine", x, y - gapSizes.line / 3, x, y + gapSizes.line / 3)];
  if (mark === "today") return [{ kind: "circle", role: "dot", x, y, radius: gapSizes.dot }];
  if (mark === "error" || mark === "spread") return [createLine("whisker", 1, y, width - 1, y)];
  if (mark === "missing") return [];
  const role = mark === "over" ? "barOver" : "bar";
  return [createBox(role, [1, y - gapSizes.bar / 2, width - 1, y + gapSizes.bar / 2], gapSizes.corner)];
}
