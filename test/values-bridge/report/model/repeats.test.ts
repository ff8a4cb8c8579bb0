// A small run of `npm run simulate`, of reports: a sentence is printed only if it would be printed again.
import { describe, expect, test } from "vitest";
import { populations } from "../../../../tools/simulate/populations.ts";
import { seededRandom } from "../../../../tools/simulate/random.ts";
import { reportFigures } from "../../../../tools/simulate/reports.ts";
import { builtInSetting } from "../../../../tools/simulate/setting.ts";

const people = 100;
const setting = builtInSetting();

describe.each(populations)(`reports on ${people} people of the population $name who answer twice`, (population) => {
  const figures = reportFigures(seededRandom(26), population, setting, people);

  test("no report contradicts itself or its errors, and no paragraph on a value contradicts a named difference", () => {
    expect([...figures.found]).toEqual([]);
    expect(figures.portraits.value).toBeGreaterThan(0.5);
  });

  test("no report on the short form contradicts itself or its errors, and reports name values all the same", () => {
    const { found, kinds } = reportFigures(seededRandom(27), population, builtInSetting("short"), people);
    expect([...found]).toEqual([]);
    expect(kinds.leading.count.value + kinds.high.count.value).toBeGreaterThan(2);
  });

  test("at least 76 % of the claims are made again, and at most 55 % by the report on somebody else who answered the same statements", () => {
    expect(figures.repeated.value).toBeGreaterThanOrEqual(76);
    expect(figures.byStranger.value).toBeLessThanOrEqual(55);
  });

  test("no report names one of two equal values as first and not the other", () => {
    expect(figures.cutTies.value).toBe(0);
  });

  test("at least 70 % of what is said to be missed most, or to take too much room, differs the same way again", () => {
    expect(figures.kinds.highlight.count.value).toBeGreaterThan(0.3);
    expect(figures.kinds.highlight.weaker.value).toBeGreaterThanOrEqual(70);
  });

  test("at least 80 % of the people between two or four archetypes have one of them the second time", () => {
    expect(figures.kinds.between.weaker.value).toBeGreaterThanOrEqual(80);
  });

  test("at least 80 % of the places named as far from the others' are as far again", () => {
    expect(figures.kinds.others.count.value).toBeGreaterThan(0.3);
    expect(figures.kinds.others.weaker.value).toBeGreaterThanOrEqual(80);
  });

  test("at most 6 % of reports name a distance that does not exist", () => {
    expect(figures.falseDistance.value).toBeLessThanOrEqual(6);
  });

  test("reports name enough values and archetypes for these shares to mean something", () => {
    const { leading, high, archetype, between } = figures.kinds;
    expect(archetype.count.value + between.count.value).toBeCloseTo(1, 9);
    expect(leading.count.value + high.count.value).toBeGreaterThan(3.5);
    expect(archetype.count.value).toBeGreaterThan(0.05);
  });
});
