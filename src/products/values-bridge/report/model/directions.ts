// The four directions of the circle, which the values of the definition that ships have.
import type { ReportPicture } from "../report-model.ts";
import type { ReportTexts } from "../words/language.ts";
import type { ReportContext } from "./facts.ts";

/** How many values on end have each, from the first on. */
const directions: readonly (readonly [keyof ReportTexts & `direction${string}`, number])[] = [
  ["directionOpen", 4],
  ["directionAhead", 4],
  ["directionKeeping", 6],
  ["directionBeyond", 5],
];

/** The English names of the values, in the order of the circle. */
const names =
  "Free Thinking, Independence, Novelty, Enjoyment, Accomplishment, Influence, Material Means, Good Standing, Personal Safety, Social Stability, Heritage, Rule Respect, Consideration, Modesty, Reliability, Caring, Fairness, Nature, Acceptance";

/** None for the values of another definition: the name decides, not the id. */
export function findDirections({
  input: { definition },
  language: { texts },
}: ReportContext): ReportPicture["directions"] {
  const isShipped = definition.values.map(({ name }) => name).join(", ") === names;
  return isShipped ? directions.map(([text, values]) => ({ text: texts[text], values })) : [];
}
