// The circle of a team report: means of the group, and how far its members lie apart.
import { type CircleDrawing, computeBoundingBox, drawNames, type NameSetting } from "../drawing/circle.ts";
import { drawPetals, rim } from "../drawing/petals.ts";
import type { TeamValue } from "./team-model.ts";

/** Position of what people want on average. */
const average = 0.5;

/** The circle around the origin. */
export function renderTeamCircle(values: readonly TeamValue[], setting: NameSetting): CircleDrawing {
  const petals = drawPetals(
    values.map(({ wanted, lived, spread }) => ({
      ideal: wanted,
      current: lived,
      interval: spread,
      isFirst: true,
      isNamed: true,
    })),
    average,
  );
  const shownLabels = values.map(({ name, isWanted }) => ({ text: name.text, strong: isWanted }));
  const labels = drawNames(shownLabels, setting);
  return { petals, labels, rimNames: [], box: computeBoundingBox(labels, rim + 8, rim + 8) };
}
