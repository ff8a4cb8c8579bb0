// How often chance alone makes a difference that a report would name.
import { expect, test } from "vitest";
import { collectFacts } from "../../../../src/products/values-bridge/report/model/facts.ts";
import { minNamedSteps, minSummarySteps } from "../../../../src/products/values-bridge/report/model/rules.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { answersOf, inputOf, normal, type Person, randomOf } from "../../../support/values-bridge/simulated-people.ts";

const people = 300;

/** Somebody whose life is exactly the one they want: all differences are made by the spread of single answers. */
function contented(spread: number, random: () => number): Person {
  const levels = Array.from({ length: 19 }, () => Math.min(5, Math.max(1, 3.2 + 0.8 * normal(random))));
  const level = (place: number) => levels[place] ?? 0;
  return { wanted: level, lived: level, spread, missing: [0, 0] };
}

test.each([
  [0.7, 1.8, 0.2, 0.01],
  [0.9, 3.4, 0.7, 0.08],
  [1.1, 4.9, 1.4, 0.3],
])(
  "answers that spread by %d without a true difference make about %d of 19 values differ by a step, %d by 1.5, %d by 2",
  (spread, ...wanted) => {
    const definition = longForm();
    const random = randomOf(Math.round(10 * spread));
    const counts = [0, 0, 0];
    for (let person = 0; person < people; person += 1) {
      const { values } = collectFacts(inputOf(definition, answersOf(definition, contented(spread, random), random)));
      for (const { gap } of values) {
        [1, minNamedSteps, minSummarySteps].forEach((steps, index) => {
          if (gap !== null && Math.abs(gap.steps) >= steps) counts[index] = (counts[index] ?? 0) + 1;
        });
      }
    }
    counts.forEach((count, index) => {
      const expected = wanted[index] ?? 0;
      // Three standard errors of a mean of counts, and what is lost where answers meet the ends of the scale.
      const tolerance = 3 * Math.sqrt(expected / people) + 0.2 * expected;
      expect(Math.abs(count / people - expected)).toBeLessThan(tolerance);
    });
  },
);
