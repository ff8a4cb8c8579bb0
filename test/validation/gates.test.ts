// Each section needs a number of people. One fewer, and it holds no figure; exactly as many, and it does.
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { type StudyPlan, seededStudy } from "../../tools/validation/seeded/study.ts";
import { inExtent } from "../support/extent.ts";
import { type Found, read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

type Name =
  | "items"
  | "reliability"
  | "circle"
  | "efa"
  | "cfa"
  | "invarianceOfLives"
  | "invarianceOfLanguages"
  | "retest";

interface Gate {
  readonly name: Name;
  readonly needed: number;
  /** A study with so many people for this section. */
  plan(n: number): Partial<StudyPlan>;
}

const everybody = (n: number) => ({ people: n });
const gates: readonly Gate[] = [
  { name: "items", needed: 100, plan: everybody },
  { name: "reliability", needed: 100, plan: everybody },
  { name: "circle", needed: 300, plan: everybody },
  { name: "efa", needed: 300, plan: everybody },
  { name: "cfa", needed: 300, plan: everybody },
  { name: "invarianceOfLives", needed: 200, plan: everybody },
  // The last person more or less is a German one.
  { name: "invarianceOfLanguages", needed: 200, plan: (n) => ({ people: 2 * n, languages: ["en", "de"] }) },
  { name: "retest", needed: 100, plan: (n) => ({ people: 120, again: n }) },
];
const quick = gates.filter(({ name }) => ["items", "retest"].includes(name));

function findResult(plan: Partial<StudyPlan>, name: Name): Found[keyof Found] {
  const study = seededStudy({ ...pilot, again: 0, careless: 0, languages: ["en"], ...plan });
  const { json } = validated(study, { only: [name], retest: true, permutations: 10 });
  return JSON.parse(json)[name];
}

test.each(gates)("$name says too few below $needed people, and nothing else", ({ name, needed, plan }) => {
  const people = plan(needed - 1);
  expect(people.people).toBeGreaterThan(0);
  expect(findResult(people, name)).toStrictEqual({ state: "too_few", n: needed - 1, needed });
});

test.each(inExtent(gates, quick))("$name has figures of $needed people", ({ name, needed, plan }) => {
  const people = plan(needed);
  expect(people.people).toBeGreaterThan(0);
  expect(findResult(people, name)).toMatchObject({ state: "told", n: needed, needed });
  expect(Object.keys(findResult(people, name)).length).toBeGreaterThan(3);
});

test("a criterion is reported for 100 people and not for 99; parts that were not requested say how to request them", () => {
  const study = seededStudy({ ...pilot, people: 120, again: 0, careless: 0 });
  expect(study.criteria.trim().split("\n")).toHaveLength(121);
  const states = [99, 100].map((known) => {
    const criteria = `${study.criteria
      .trim()
      .split("\n")
      .slice(0, 1 + known)
      .join("\n")}\n`;
    const part = { ...study, criteria };
    return read(validated(part, { only: ["criteria"], withCriteria: true }).json).criteria.criteria[0];
  });
  expect(states[0]).toStrictEqual({ criterion: "made_up_rating", state: "too_few", n: 99, needed: 100 });
  expect(states[1]).toMatchObject({ state: "told", n: 100 });
  const { retest, criteria } = read(validated(study, { only: ["retest", "criteria"] }).json);
  expect([retest, criteria]).toStrictEqual([
    { state: "not_asked", reason: "Give --retest." },
    { state: "not_asked", reason: "Give --criteria FILE." },
  ]);
});
