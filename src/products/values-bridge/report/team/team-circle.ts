// The circle of a team report: means and spreads of the group.
import { type CircleDrawing, computeBoundingBox, drawNames, type NameSetting } from "../drawing/circle.ts";
import type { Mark } from "../drawing/marks.ts";
import { drawPetals, rim } from "../drawing/petals.ts";
import type { TeamValue } from "./team-model.ts";

/** Position of the average wish. */
const average = 0.5;

/** The petals around the origin. */
export function drawTeamPetals(values: readonly TeamValue[]): readonly Mark[] {
  const petals = values.map(({ wanted, lived, spread }) => ({
    ideal: wanted,
    current: lived,
    interval: spread,
    isFirst: true,
    isNamed: true,
  }));
  return drawPetals(petals, average);
}

/** The names around the petals. */
export function arrangeTeamNames(values: readonly TeamValue[], setting: NameSetting): Omit<CircleDrawing, "petals"> {
  const shownLabels = values.map(({ name, isWanted }) => ({ text: name.text, strong: isWanted }));
  const labels = drawNames(shownLabels, setting);
  return { labels, rimNames: [], box: computeBoundingBox(labels, rim + 8, rim + 8) };
}
