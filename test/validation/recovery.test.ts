// The kit finds what is known of made-up people: loadings, angles, order; and finds no circle where there is none.
import { expect, test } from "vitest";
import { howToGetR } from "../../tools/validation/kit.ts";
import { clearCircle } from "../../tools/validation/seeded/people.ts";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { inExtent } from "../support/extent.ts";
import { type Circle, read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

const people = { ...pilot, again: 0, careless: 0 };

/** Degrees between two angles, 0..180. */
const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

test("loadings of 2,000 people are within .06 of those that made the answers, and correlations of factors within .09", () => {
  expect(howToGetR).toContain("r-cran-lavaan");
  const { cfa } = read(validated(seededStudy(people), { only: ["cfa"] }).json);
  expect(cfa.groups).toHaveLength(8);
  const all = cfa.groups.flatMap(({ loadings }) => loadings);
  expect(all).toHaveLength(152);
  for (const { column, statement, loading } of all) {
    expect(Math.abs(loading - (clearCircle.loadings[statement - 1] ?? 0)), column).toBeLessThan(0.06);
  }
  for (const { pairs } of cfa.correlations) {
    expect(pairs).toHaveLength((19 * 18) / 2);
    for (const { value, other, r, isFlagged } of pairs) {
      const expected = clearCircle.circle * Math.cos((2 * Math.PI * (value - other)) / 19);
      expect(Math.abs(r - expected), `${value} and ${other}`).toBeLessThan(0.09);
      expect(isFlagged).toBe(false);
    }
  }
});

test("two values that people think of as one are flagged, and a group with a statement that says the opposite is not good", () => {
  const faults = [
    ...[0, 1, 2, 3].map((statement) => ({ value: 1, statement, of: 0 })),
    { value: 6, statement: 1, loading: -0.3 },
  ];
  const study = seededStudy({ ...people, people: 640, model: { ...clearCircle, faults } });
  const { cfa } = read(validated(study, { only: ["cfa"] }).json);
  for (const { pairs } of cfa.correlations) {
    const flagged = pairs.filter(({ isFlagged }) => isFlagged).map(({ value, other }) => [value, other]);
    expect(flagged).toEqual([[1, 2]]);
  }
  expect(cfa.groups.filter(({ group }) => group === "enhancement").map(({ isGood }) => isGood)).toEqual([false, false]);
});

/** Two values of other parts of the circle, by their index. */
const [firstAngle, secondAngle] = [2, 8];

test.each<[string, readonly [number, number] | undefined]>([
  ["where the theory has them", undefined],
  ["in each other's place, though the search begins at the theory", [firstAngle, secondAngle]],
])("values are found %s: angles within 10 degrees, order exact", (_, swapped) => {
  expect(howToGetR).toContain("r-cran-vegan");
  const model = swapped === undefined ? clearCircle : { ...clearCircle, swapped };
  const { circle } = read(validated(seededStudy({ ...people, model }), { only: ["circle"] }).json);
  for (const { verdict, orderIsExact, values } of [circle.ideal, circle.current]) {
    expect(verdict).toBe("circle");
    expect(orderIsExact).toBe(swapped === undefined);
    values.forEach(({ name, angle }, index) => {
      const place =
        swapped === undefined ? index : index === firstAngle ? secondAngle : index === secondAngle ? firstAngle : index;
      // Two swapped values turn the whole by what they pull.
      expect(apart(angle, (360 * place) / values.length), name).toBeLessThan(10);
    });
  }
});

test.each(inExtent([2, 3, 4, 5, 6], [2]))("19 independent values give no circle (sample %i)", (seed) => {
  expect(howToGetR).toContain("r-cran-mass");
  const study = seededStudy({ ...people, seed, model: { ...clearCircle, circle: 0 } });
  const { circle } = read(validated(study, { only: ["circle"] }).json);
  const isNone = ({ verdict, cosineCorrelation }: Circle) => {
    expect(verdict).toBe("no_circle");
    expect(Math.abs(cosineCorrelation)).toBeLessThan(0.3);
  };
  isNone(circle.ideal);
  isNone(circle.current);
});
