// Numbers of groups add up: what one has and up to three others have not may be nobody, or five and more.
import { describe, expect, test } from "vitest";
import { isTooAlike } from "../../../src/domain/groups/similarity.ts";

const people = (first: number, last: number) =>
  new Set(Array.from({ length: last - first + 1 }, (_, index) => `person-${first + index}`));

describe("similar groups", () => {
  test.each([
    ["one that differs by four", people(1, 20), [people(5, 20)], true],
    ["one that differs by five", people(1, 20), [people(6, 20)], false],
    ["the same people", people(1, 20), [people(1, 20)], false],
    ["two teams and one more", people(1, 11), [people(1, 5), people(6, 10)], true],
    ["two teams and five more", people(1, 15), [people(1, 5), people(6, 10)], false],
    ["three teams and one more", people(1, 16), [people(1, 5), people(11, 15), people(6, 10)], true],
    ["three teams, all of them", people(1, 15), [people(1, 5), people(11, 15), people(6, 10)], false],
    ["four teams and one more", people(1, 21), [people(1, 5), people(6, 10), people(11, 15), people(16, 20)], false],
    ["what a told group has without another one, but for one", people(1, 5), [people(1, 11), people(6, 10)], true],
    ["what a told group has without another one", people(1, 5), [people(1, 10), people(6, 10)], false],
    [
      "what a told group has without two others, but for one",
      people(1, 5),
      [people(1, 16), people(6, 10), people(11, 15)],
      true,
    ],
    ["teams with somebody from elsewhere", people(1, 10), [people(1, 5), new Set([...people(6, 10), "else"])], true],
  ])("a group is compared with %s: %#", (_name, group, told, expected) => {
    expect(isTooAlike(group, told)).toBe(expected);
  });

  test("a group counts as too alike when there are too many groups to compare it with", () => {
    const all = people(1, 900);
    const told = Array.from({ length: 1500 }, (_, index) => people(1 + (index % 300), 550 + (index % 300)));
    const others = Array.from({ length: 1500 }, (_, index) => people(400 + (index % 50), 900 - 6 * (index % 70)));
    expect(isTooAlike(all, [...told, ...others])).toBe(true);
  });
});
