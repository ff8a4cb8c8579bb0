// The kit finds what does not work, where it has to show, and nothing else: the faults that were put into the people of the
// documentation's example.
import { expect, test } from "vitest";
import { example, exampleFaults } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { inExtent } from "../support/extent.ts";
import { type Found, type InvarianceFound, read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

const { empty, elsewhere, agreed, translated, today } = exampleFaults;
const place = ({ value, statement }: { readonly value: number; readonly statement: number }) =>
  `${value + 1}.${statement + 1}`;

/** What the kit has to say of the example, section by section. */
const sections = {
  items: [
    ({ items }: Found) =>
      items.statements
        .filter(({ flags }) => flags.length > 0)
        .map(({ value, statement, life, flags }) => `${value}.${statement} ${life} ${flags.join(" ")}`)
        .toSorted(),
    [
      ...[empty, elsewhere].flatMap((each) =>
        ["ideal", "current"].map((life) => `${place(each)} ${life} itemRest foreign`),
      ),
      `${place(agreed)} ideal end`,
      `${place(today)} current itemRest foreign`,
    ].toSorted(),
  ],
  efa: [
    ({ efa }: Found) =>
      efa.groups.flatMap(({ life, statements }) =>
        statements.filter(({ isOwn }) => !isOwn).map((each) => `${each.value}.${each.statement} ${life}`),
      ),
    ["ideal", "current"].map((life) => `${place(elsewhere)} ${life}`),
  ],
  circle: [
    ({ circle }: Found) => [circle.ideal, circle.current].map((each) => `${each.verdict} ${each.orderIsExact}`),
    ["circle false", "circle false"],
  ],
  invarianceOfLives: [
    ({ invarianceOfLives }: Found) => flagged(invarianceOfLives),
    [
      "openness metric",
      "openness agreement",
      "enhancement agreement",
      "conservation agreement",
      "transcendence scalar",
      "transcendence agreement",
    ],
  ],
  invarianceOfLanguages: [
    ({ invarianceOfLanguages }: Found) => flagged(invarianceOfLanguages),
    ["conservation ideal scalar", "conservation current scalar"],
  ],
} as const;

function flagged({ groups }: InvarianceFound): string[] {
  return groups.flatMap(({ group, life, steps }) =>
    steps.filter(({ isFlagged }) => isFlagged).map(({ step }) => [group, life, step].filter(Boolean).join(" ")),
  );
}

const names = Object.keys(sections) as (keyof typeof sections)[];

test("the faults lie in the groups that the sections name", () => {
  expect([today.value, agreed.value, translated.value].map((value) => value + 1)).toEqual([2, 16, 10]);
});

test.each(inExtent<keyof typeof sections>(names, ["items", "efa"]))(
  "%s shows the faults of the example, and no other",
  (name) => {
    const [of, expected] = sections[name];
    expect(expected.length).toBeGreaterThan(1);
    expect(of(read(validated(seededStudy(example), { only: [name] }).json))).toEqual(expected);
  },
);
