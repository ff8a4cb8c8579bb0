// The four directions of the circle, for the values of the shipped definition.
import type { ReportPicture } from "../report-model.ts";
import type { ReportTexts } from "../words/language.ts";
import type { ReportWriter } from "./writer.ts";

/** The number of successive values in each direction, from the first on. */
const directions: readonly (readonly [keyof ReportTexts & `direction${string}`, number])[] = [
  ["directionOpen", 4],
  ["directionAhead", 4],
  ["directionKeeping", 6],
  ["directionBeyond", 5],
];

/** The English names of the values, in the order of the circle. */
const names =
  "Free Thinking, Independence, Novelty, Enjoyment, Accomplishment, Influence, Material Means, Good Standing, Personal Safety, Social Stability, Heritage, Rule Respect, Consideration, Modesty, Reliability, Caring, Fairness, Nature, Acceptance";

/** The directions; none if the names of values are others. */
export function findDirections({ input, texts }: ReportWriter): ReportPicture["directions"] {
  const isShipped = input.definition.values.map(({ name }) => name).join(", ") === names;
  return isShipped ? directions.map(([text, values]) => ({ text: texts[text], values })) : [];
}
