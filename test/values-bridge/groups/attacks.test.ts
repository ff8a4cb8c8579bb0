// What somebody who knows some members can compute of the others, from the numbers of a group.
import { describe, expect, test } from "vitest";
import { minForSpread, minPeople, revealsFewerThan } from "../../../src/domain/groups/disclosure.ts";
import { arrangeQuestions, toQualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { computeMoments } from "../../../src/products/values-bridge/groups/agreement.ts";
import { type Member, readMember } from "../../../src/products/values-bridge/groups/member.ts";
import { summarizeGroup } from "../../../src/products/values-bridge/groups/summarize.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { at } from "../../../src/products/values-bridge/scoring/exact.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answersOf, randomOf, somebody } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { compiled } = compileQuality(toQualityModel(definition, arrangeQuestions(definition, 1)));
const { valueIds } = compiled.scoring;
const { span } = compiled.scale;
/** Four statements of seven steps: the gap of a member who answered all is one of 49 numbers, so many points apart. */
const grain = 100 / (4 * span);
const most = 4 * span;
const size = 5;

/** So many members who answered every statement, others for each group. */
function membersOf(group: number, count: number): Member[] {
  const members: Member[] = [];
  for (let seed = 1; members.length < count; seed += 1) {
    const random = randomOf(1000 * group + seed);
    const person = { ...somebody(valueIds.length, span, random), missing: [0, 0] as const };
    const member = readMember(compiled, answersOf(definition, person, random), null);
    if (member !== null) members.push(member);
  }
  return members;
}

const groups = Array.from({ length: 8 }, (_, group) => membersOf(group, size));

/** Every gap of a group: those of its members in grains, the attacker's first, and what is told of them. */
function gapsOf(members: readonly Member[]) {
  const numbers = summarizeGroup(compiled, members, false);
  return valueIds.flatMap((_, index) => {
    const gaps = members.map(({ measures }) => Math.round(at(measures.gap, index) / grain));
    const gap = numbers.values[index]?.gap;
    return gap ? [{ gaps, told: gap }] : [];
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
    // Each of the two means that a gap comes from is off by a quarter of a step at most.
    const found = all.filter(({ gaps, told }) => findsAnother(at(gaps, 0), told.mean, halfStep + 0.05, told.sd));
    expect(found).toEqual([]);
    const exact = all.filter(({ gaps }) => {
      const { mean, variance } = computeMoments(gaps.map((gap) => grain * gap));
      return findsAnother(at(gaps, 0), mean, 0.05, Math.sqrt(variance));
    });
    expect(exact.length / all.length).toBeGreaterThan(0.1);
  });

  test("four who pool what they know find the gap of the fifth no more often than by the best blind guess", () => {
    const distances = all.map(({ gaps, told }) => {
      const [fifth = 0, ...pooled] = gaps.map((gap) => grain * gap);
      return Math.abs(size * told.mean - pooled.reduce((sum, gap) => sum + gap, 0) - fifth);
    });
    const shareOf = (within: readonly number[]) =>
      within.filter((distance) => distance <= grain + 1e-6).length / within.length;
    const guess = (gap: number) => shareOf(all.map(({ gaps }) => grain * Math.abs(at(gaps, 0) - gap)));
    const guessed = Math.max(...Array.from({ length: 2 * most + 1 }, (_, index) => guess(index - most)));
    expect(shareOf(distances)).toBeLessThanOrEqual(guessed);
  });

  test("nothing in the numbers makes another one more precise: they are those of every group with the same rounded means", () => {
    for (const members of groups) {
      // One more of a tenth of a half step is lost in rounding, wherever the mean is no border; two that cancel out always are.
      const moved = members.map((member, index) => {
        const by = index === 0 ? 3 : index === 1 ? -3 : 0;
        const shifted = (scores: readonly number[]) =>
          scores.map((score, place) => score + (place % 2 === 0 ? by : -by));
        return { ...member, scores: { ideal: shifted(member.scores.ideal), current: member.scores.current } };
      });
      expect(summarizeGroup(compiled, moved, false)).toEqual(summarizeGroup(compiled, members, false));
    }
  });
});

/** Every gap of groups of ten, in grains: what nine who pool find by mean and spread, the tenth, and by the exact spread. */
const ofTen = [1, 2, 3, 4, 5, 6].flatMap((group) => {
  const members = membersOf(1000 + group, minForSpread);
  const numbers = summarizeGroup(compiled, members, true);
  return valueIds.flatMap((_, index) => {
    const [tenth = 0, ...pooled] = members.map(({ measures }) => Math.round(at(measures.gap, index) / grain));
    const told = numbers.values[index]?.gap;
    if (!told) return [];
    const sum = pooled.reduce((all, gap) => all + gap, 0);
    const byMean = (minForSpread * told.mean) / grain - sum;
    const places = Array.from({ length: 2 * most + 1 })
      .map((_each, place) => place - most)
      // The mean of gaps is that of two means, each rounded to a quarter step: to half a grain and half a grain.
      .filter((place) => Math.abs(place - byMean) <= minForSpread + 0.05);
    const nearest = (sd: number) =>
      places.toSorted(
        (one, other) => Math.abs(sdOf([one, ...pooled]) - sd) - Math.abs(sdOf([other, ...pooled]) - sd),
      )[0];
    return [{ tenth, found: nearest(told.sd ?? 0), byExact: nearest(sdOf([tenth, ...pooled])) }];
  });
});

test("nine of ten find the tenth's gap by mean and spread hardly more often than by the best blind guess", () => {
  const within = (guess: (each: (typeof ofTen)[number]) => number | undefined) =>
    ofTen.filter((each) => Math.abs((guess(each) ?? Infinity) - each.tenth) <= 1).length / ofTen.length;
  const guessed = Math.max(...Array.from({ length: 2 * most + 1 }, (_, place) => within(() => place - most)));
  expect(within(({ byExact }) => byExact)).toBeGreaterThan(0.7);
  expect(within(({ found }) => found)).toBeLessThanOrEqual(guessed + 0.1);
});

test("the spread of ten of fifteen people is not told beside that of all: it would be that of the other five", async () => {
  const people = Array.from({ length: 15 }, (_, index) => `person-${index}`);
  const both = [people, people.slice(5)];
  const pause = async () => undefined;
  expect(await revealsFewerThan(both, minPeople, pause)).toBe(false);
  expect(await revealsFewerThan(both, minForSpread, pause)).toBe(true);
});
