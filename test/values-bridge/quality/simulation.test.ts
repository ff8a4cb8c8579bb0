// The simulation gives the figures of docs/trust.md, and its true scores are true.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { at } from "../../../src/products/values-bridge/scoring/lists.ts";
import { answer, drawInstrument, drawPerson, lives } from "../../../tools/simulate/people.ts";
import { populations } from "../../../tools/simulate/populations.ts";
import { seededRandom } from "../../../tools/simulate/random.ts";
import { builtInSetting } from "../../../tools/simulate/setting.ts";
import { defaults, simulate } from "../../../tools/simulate/simulation.ts";
import { teamSizes } from "../../../tools/simulate/teams.ts";
import { poolScore, repeatScore } from "../../../tools/simulate/truth.ts";
import { patience } from "../../support/values-bridge/sessions.ts";

let [figuresOfPage, forms, repeated] = ["", "", ""];
beforeAll(() => {
  ({ figures: figuresOfPage, forms, repeated } = simulate(defaults));
}, 2 * patience.timeout);

/** The figures of one row, for each population. */
function rowOf(name: string): number[] {
  const row = `${figuresOfPage}\n${forms}`.split("\n").find((line) => line.startsWith(`| ${name} |`));
  return (row ?? "").split("|").slice(2, -1).map(Number.parseFloat);
}

describe("the simulation", patience, () => {
  test("gives the figures of docs/trust.md and docs/reports.md", () => {
    expect(readFileSync("docs/reports.md", "utf8")).toContain(repeated);
    const page = readFileSync("docs/trust.md", "utf8");
    expect(page).toContain(`${defaults.people} people of each population and figure, seed ${defaults.seed}`);
    expect(page).toContain(figuresOfPage);
    expect(page).toContain(forms);
  });

  test.each([
    ["docs/results.md", "archetype recurs", "% of immediate repeats"],
    ["docs/results.md", "no gap real: total gap", "have a total of"],
    ["docs/trust.md", "archetype recurs", "in about two thirds of cases**,"],
    ["docs/trust.md", "a mood in both sittings: change `single` or `joint`", "% with one in each"],
    ["docs/trust.md", "scores beyond the error of measurement, moods of SD 0.3", "% of scores and"],
    ["docs/trust.md", "gaps beyond the error of measurement, moods of SD 0.3", "% of gaps are beyond"],
    ["docs/trust.md", "of the quarter that scatters most", "% of the quarter that scatters most"],
    ["docs/trust.md", "of the third quarter", "% of the third quarter"],
    ["docs/trust.md", "rank range holds the true rank", "rank ranges hold the true rank in"],
    ["docs/trust.md", "ranks in a rank range", "of 19 ranks"],
    ["docs/trust.md", "values that share their score with another", "of 19 values share"],
    ["docs/trust.md", "of all cells, hold the score over all possible statements", "% of all intervals"],
    ["docs/trust.md", "archetype recurs, all shorter versions had agreed", "% if all shorter versions agreed"],
    ["docs/trust.md", "archetype recurs, half of them or fewer had agreed", "% if half of them or fewer did"],
    ["docs/trust.md", "attentive: fail", "**Hardly any attentive person fails**,"],
    ["docs/trust.md", "attentive: fail: short", "% of attentive people fail"],
    ["docs/trust.md", "all claims: said again: short", "% of the claims of a report are made again"],
    ["docs/trust.md", "a mood in one sitting: change `single` or `joint`", "% of changes are `single` or `joint`"],
    ["docs/trust.md", "a mood in both sittings: change `single` or `joint`", "% of changes for one if moods"],
    ["docs/trust.md", "scores beyond the error of measurement, moods of SD 0.5", "with moods of SD 0.5,"],
    ["docs/trust.md", "all claims: said again", "% are made again"],
    ["docs/trust.md", "all claims: said of somebody else too", "% fit the report"],
    ["docs/trust.md", "the two or four archetypes that answers lie between: said again", "one of those told in"],
    ["docs/trust.md", "no gap real: some gap `joint`", "% of sessions have a `joint` gap"],
  ])("gives the range of figures that %s names: %s", (page, row, beside) => {
    const figures = rowOf(row);
    const range = `${Math.round(Math.min(...figures))} to ${Math.round(Math.max(...figures))}`;
    const text = readFileSync(page, "utf8").replaceAll(/\s+/g, " ");
    expect([`${range} ${beside}`, `${beside} ${range}`].some((phrase) => text.includes(phrase))).toBe(true);
  });

  test("finds a circle by motives of others in people who have none, and none by low ends", () => {
    const correlations = (which: string) => rowOf(`correlation with the circle: ${which}`);
    for (const built of correlations("all statements, inverse ones as motives of others"))
      expect(built).toBeGreaterThan(0.3);
    for (const which of ["all statements, inverse ones as low ends", "forward statements alone"]) {
      expect(correlations(which)).toHaveLength(populations.length);
      for (const found of correlations(which)) expect(Math.abs(found)).toBeLessThanOrEqual(0.05);
    }
  });

  test("has team reports name nothing in 95 % of groups without a difference, and find one of 1.5 steps", () => {
    for (const size of teamSizes) {
      const named = [...rowOf(`${size} people: any of these but the lag`)];
      named.push(...rowOf(`${size} people, every value lived 0.3 steps less than wanted: a gap is named`));
      expect(named).toHaveLength(2 * populations.length);
      for (const share of named) expect(share).toBeLessThanOrEqual(5);
    }
    for (const share of rowOf("12 people, one value lived 1.5 steps less than wanted: a gap is named")) {
      expect(share).toBeGreaterThanOrEqual(90);
    }
  });

  test("gives the same figures for the same seed, and others for another", () => {
    const few = { people: 20, seed: 5 };
    expect(simulate(few)).toEqual(simulate(few));
    expect(simulate(few)).not.toEqual(simulate({ ...few, seed: 6 }));
  });

  test.each([["--people", "0"], ["--seed", "-1"], ["--people", "many"], ["--unknown"]])("refuses %s %s", (...args) => {
    const { status, stderr } = spawnSync(process.execPath, ["tools/simulate/main.ts", ...args], { encoding: "utf8" });
    expect({ status, usage: stderr.includes("npm run simulate -- [--people N] [--seed N]") }).toEqual({
      status: 2,
      usage: true,
    });
  });
});

describe.each(populations)("a true score of the population $name", (population) => {
  const { statements, perValue } = builtInSetting();
  const random = seededRandom(11);
  const instrument = drawInstrument(random, population, statements.length, perValue);
  const person = drawPerson(random, population, instrument);
  const sittings = 3000;

  /** Mean observed score of each value in both lives, when every sitting has statements and tastes of its own, or not. */
  function meanScores(isPool: boolean): number[][] {
    const sums = lives.map(() => statements.map(() => 0));
    for (let sitting = 0; sitting < sittings; sitting += 1) {
      const { attraction } = isPool ? drawInstrument(random, population, statements.length, perValue) : instrument;
      const { statementTaste } = isPool ? drawPerson(random, population, instrument) : person;
      const answers = answer(
        random,
        population,
        { ...instrument, attraction },
        { ...person, statementTaste },
        statements,
      );
      lives.forEach((life, which) => {
        statements.forEach((ofValue, value) => {
          for (const { [life]: item } of ofValue) {
            const rating = at(answers, item.position);
            at(sums, which)[value] = at(at(sums, which), value) + (item.inverse ? 7 - rating : rating - 1);
          }
        });
      });
    }
    return sums.map((ofLife) => ofLife.map((sum) => (100 * sum) / (6 * perValue * sittings)));
  }

  test.each([
    ["all possible statements", true],
    ["repeats", false],
  ])("is the mean over %s", (_, isPool) => {
    const means = meanScores(isPool);
    lives.forEach((life, which) => {
      statements.forEach((ofValue, value) => {
        const truth = isPool
          ? poolScore(population, person, ofValue, value, life)
          : repeatScore(population, instrument, person, ofValue, value, life);
        expect(Math.abs(at(at(means, which), value) - truth)).toBeLessThan(1);
      });
    });
  });
});
