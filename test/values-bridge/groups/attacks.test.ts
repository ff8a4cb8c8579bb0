// What somebody who knows some members can compute of the others, from the numbers of a group.
import { describe, expect, test } from "vitest";
import { isTooAlike } from "../../../src/domain/groups/similarity.ts";
import { arrangeQuestions, qualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { criticalT } from "../../../src/products/values-bridge/groups/agreement.ts";
import { type Member, readMember } from "../../../src/products/values-bridge/groups/member.ts";
import { summariseGroup, summaryOf } from "../../../src/products/values-bridge/groups/summarise.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { at } from "../../../src/products/values-bridge/scoring/exact.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answersOf, randomOf, somebody } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { compiled } = compileQuality(qualityModel(definition, arrangeQuestions(definition, 1)));
const { valueIds } = compiled.scoring;
const { span } = compiled.scale;
/** Four statements of seven steps: the gap of a member who answered all is one of 49 numbers, so many points apart. */
const grain = 100 / (4 * span);
const most = 4 * span;
const size = 5;

/** Groups of five who answered every statement. */
const groups = Array.from({ length: 8 }, (_, group) => {
  const members: Member[] = [];
  for (let seed = 1; members.length < size; seed += 1) {
    const random = randomOf(1000 * group + seed);
    const person = { ...somebody(valueIds.length, span, random), missing: [0, 0] as const };
    const member = readMember(compiled, answersOf(definition, person, random), null);
    if (member !== null) members.push(member);
  }
  return members;
});

/** Every gap of a group: those of its members in grains, the attacker's first, and what is told of them. */
function gapsOf(members: readonly Member[]) {
  const numbers = summariseGroup(valueIds, span, members);
  return valueIds.flatMap((_, index) => {
    const gaps = members.map(({ gap }) => Math.round(at(gap, index).score / grain));
    const told = numbers?.values[index]?.gap;
    return told ? [{ gaps, told }] : [];
  });
}

/**
 * Whether the gap of any of the other four follows to within one grain: every four numbers are tried.
 * @param mean points, told to within `meanWithin` @param sd points to one decimal; null: not told
 */
function findsAnother(own: number, mean: number, meanWithin: number, sd: number | null): boolean {
  const [lowest, highest] = [
    [Infinity, Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity, -Infinity],
  ];
  const least = Math.ceil((size * (mean - meanWithin)) / grain - own - 1e-6);
  const greatest = Math.floor((size * (mean + meanWithin)) / grain - own + 1e-6);
  for (let a = -most; a <= most; a += 1) {
    for (let b = a; b <= most; b += 1) {
      for (let c = b; c <= most; c += 1) {
        for (let d = Math.max(c, least - a - b - c); d <= Math.min(most, greatest - a - b - c); d += 1) {
          const others = [a, b, c, d];
          if (sd !== null && Math.abs(sdOf([own, ...others]) - sd) > 0.0501) continue;
          others.forEach((gap, place) => {
            lowest[place] = Math.min(at(lowest, place), gap);
            highest[place] = Math.max(at(highest, place), gap);
          });
        }
      }
    }
  }
  return lowest.some((low, place) => at(highest, place) - low <= 1);
}

function sdOf(gaps: readonly number[]): number {
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return grain * Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (gaps.length - 1));
}

describe("attacks on groups of five people", () => {
  const all = groups.flatMap(gapsOf);

  test("a member who tries all numbers finds nobody else's gap, and would find some if mean and spread were returned", () => {
    expect(all.length).toBeGreaterThan(100);
    const halfStep = 50 / span;
    const found = all.filter(({ gaps, told }) => findsAnother(at(gaps, 0), told.mean, halfStep / 2 + 0.05, told.sd));
    expect(found).toEqual([]);
    const exact = all.filter(({ gaps }) => {
      const summary = summaryOf(
        gaps.map((gap) => grain * gap),
        criticalT(size),
      );
      return summary !== null && findsAnother(at(gaps, 0), summary.mean, 0.05, summary.sd);
    });
    expect(exact.length / all.length).toBeGreaterThan(0.1);
  });

  test("a member who made up four of five people knows the gap of the fifth to 21 points, and no better than by guessing", () => {
    const distances = all.map(({ gaps, told }) => {
      const [fifth = 0, ...madeUp] = gaps.map((gap) => grain * gap);
      return Math.abs(size * told.mean - madeUp.reduce((sum, gap) => sum + gap, 0) - fifth);
    });
    expect(Math.max(...distances)).toBeLessThan(21.2);
    const shareOf = (within: readonly number[]) =>
      within.filter((distance) => distance <= grain + 1e-6).length / within.length;
    const guess = (gap: number) => shareOf(all.map(({ gaps }) => grain * Math.abs(at(gaps, 0) - gap)));
    const guessed = Math.max(...Array.from({ length: 2 * most + 1 }, (_, index) => guess(index - most)));
    expect(shareOf(distances)).toBeLessThanOrEqual(guessed);
  });
});

test("the numbers of two groups and of both with one more person are not all returned", () => {
  const people = (from: number, to: number) =>
    new Set(Array.from({ length: to - from }, (_, index) => `person-${from + index}`));
  expect(isTooAlike(people(0, 11), [people(0, 5), people(5, 10)])).toBe(true);
  expect(isTooAlike(people(0, 15), [people(0, 5), people(5, 10)])).toBe(false);
});
