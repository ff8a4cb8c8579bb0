// What of 60 correlations with a criterion is marked: no work of chance.
import { expect, test } from "vitest";
import { seededRandom } from "../../tools/simulate/random.ts";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { type Study, seededStudy } from "../../tools/validation/seeded/study.ts";
import { read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

const study = seededStudy({ ...pilot, people: 300, again: 0, careless: 0 });

/** All correlations of a study's criteria. */
function correlationsOf(of: Study) {
  const { criteria } = read(validated(of, { only: ["criteria"], withCriteria: true }).json).criteria;
  return criteria.flatMap(({ correlations }) => correlations);
}

test("some intervals of two chance criteria lack 0, and no correlation is beyond chance", () => {
  const random = seededRandom(7);
  const rows = study.first
    .trim()
    .split("\n")
    .map((row) => `${row.split(",", 1)},${random.normal(1).toFixed(3)},${random.normal(1).toFixed(3)}`);
  const criteria = `external_id,one,other\n${rows.join("\n")}\n`;
  const correlations = correlationsOf({ ...study, criteria });
  expect(correlations).toHaveLength(120);
  expect(correlations.filter(({ low, high }) => low * high > 0).length).toBeGreaterThan(1);
  expect(correlations.filter(({ pHolm }) => pHolm < 0.05)).toEqual([]);
});

test("a criterion that follows what is wanted of one value is beyond chance there", () => {
  const pairs = correlationsOf(study).filter(({ measure, value }) => measure === "ideal" && value === 1);
  expect(pairs.map(({ pHolm }) => pHolm < 0.001)).toEqual([true]);
});
