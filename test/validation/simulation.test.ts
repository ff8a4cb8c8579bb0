// The simulation gives the figures of docs/trust.md, and its true scores are true.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { readParts } from "../../tools/docs/markdown.ts";
import { simulateGroups } from "../../tools/simulate/groups.ts";
import { answer, drawInstrument, drawPerson, lives } from "../../tools/simulate/people.ts";
import { populations } from "../../tools/simulate/populations.ts";
import { seededRandom } from "../../tools/simulate/random.ts";
import { builtInSetting } from "../../tools/simulate/setting.ts";
import { defaults, reportPeople, simulate, simulateReports } from "../../tools/simulate/simulation.ts";
import { teamSizes } from "../../tools/simulate/teams.ts";
import { poolScore } from "../../tools/simulate/truth.ts";
import { howMany, inExtent } from "../support/extent.ts";

/** What a page has between the marks of a command. */
const written = (page: string) => readParts(readFileSync(`docs/${page}.md`, "utf8"));

/** The figures of one row of docs/trust.md, for each population. */
function rowOf(name: string): number[] {
  const { simulated, forms } = written("trust");
  const row = `${simulated}\n${forms}`.split("\n").find((line) => line.startsWith(`| ${name} |`));
  return (row ?? "").split("|").slice(2, -1).map(Number.parseFloat);
}

/** A row of team reports. */
const foundGap = "one value lived 1.5 steps less than wanted, SD 0.8 between people: a gap is named";

test("the simulation gives the figures of docs/trust.md", () => {
  // A population has the same figures alone: in a short run one of them is simulated.
  const of = inExtent(populations, populations.slice(0, 1));
  const { figures, forms, incomplete } = simulate({ ...defaults, of });
  const columnsOf = (tables = "") =>
    tables.replaceAll(/^\|.*\|$/gm, (row) => `${row.split("|", of.length + 2).join("|")}|`);
  const page = written("trust");
  const people = `${defaults.people} people of each population and figure, seed ${defaults.seed}.`;
  expect(columnsOf(page.simulated)).toBe(`${people}\n\n${figures}`);
  expect(columnsOf(page.forms)).toBe(forms);
  expect(inExtent([page.incomplete], [])).toEqual(inExtent([incomplete], []));
});

test("the reports of simulated people give the figures of docs/reports.md, and a short run its rows", () => {
  const of = inExtent(populations, populations.slice(0, 1));
  const repeated = simulateReports({ people: howMany(reportPeople, 10), seed: defaults.seed, of });
  const shown = (table = "") => inExtent([table], [table.replaceAll(/(?<=^\| [^|]*)\|.*$/gm, "")]);
  expect(shown(written("reports").repeated)).toEqual(shown(repeated));
});

test("the simulation gives the figures of docs/groups.md", async () => {
  expect(written("groups")).toMatchObject(await simulateGroups(defaults.seed));
});

test("simulated team reports name nothing in 95 % of groups without a difference, and find one of 1.5 steps in large groups", () => {
  for (const size of teamSizes) {
    const rates = [...rowOf(`${size} people with nothing in common: anything is named`)];
    rates.push(...rowOf(`${size} people, every value lived 0.3 steps less than wanted: a gap is named`));
    expect(rates).toHaveLength(2 * populations.length);
    for (const share of rates) expect(share).toBeLessThanOrEqual(5);
  }
  for (const share of rowOf(`24 people, ${foundGap}`)) expect(share).toBeGreaterThanOrEqual(90);
  for (const share of rowOf(`12 people, ${foundGap}`)) expect(share).toBeLessThan(80);
});

test.each([["--people", "0"], ["--seed", "-1"], ["--people", "many"], ["--unknown"]])(
  "the simulation refuses %s %s",
  (...args) => {
    const { status, stderr } = spawnSync(process.execPath, ["tools/simulate/main.ts", ...args], { encoding: "utf8" });
    expect({ status, usage: stderr.includes("npm run simulate -- [--people N] [--seed N]") }).toEqual({
      status: 2,
      usage: true,
    });
  },
);

describe.each(populations)("true scores of the population $name", (population) => {
  const { statements, perValue } = builtInSetting();
  const random = seededRandom(11);
  const instrument = drawInstrument(random, population, statements.length, perValue);
  const person = drawPerson(random, population, instrument);
  const sittings = 3000;

  test("a true score is the mean over sittings that have statements and tastes of their own", () => {
    const sums = lives.map(() => statements.map(() => 0));
    for (let sitting = 0; sitting < sittings; sitting += 1) {
      const { attraction } = drawInstrument(random, population, statements.length, perValue);
      const { statementTaste } = drawPerson(random, population, instrument);
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
    lives.forEach((life, which) => {
      statements.forEach((ofValue, value) => {
        const mean = (100 * at(at(sums, which), value)) / (6 * perValue * sittings);
        expect(Math.abs(mean - poolScore(population, person, ofValue, value, life))).toBeLessThan(1);
      });
    });
  });
});
