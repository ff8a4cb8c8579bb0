// The simulation gives the figures of docs/trust.md, and its true scores are true.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { criticalValue, standardError } from "../../src/products/values-bridge/quality/statistics.ts";
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
import { patience } from "../support/values-bridge/sessions.ts";

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

/** Ranges of figures over the populations that pages name in a sentence: the page, the row, and the words beside. */
const named = [
  ["results", "archetype recurs", "% of immediate repeats"],
  ["results", "no gap real: total gap", "have a total of"],
  ["trust", "archetype recurs", "in about two thirds of cases**,"],
  ["trust", "a mood in both sittings: change `single` or `joint`", "% with one in each"],
  ["trust", "rank range holds the true rank", "rank ranges hold the true rank in"],
  ["trust", "ranks in a rank range", "of 19 ranks"],
  ["trust", "values that share their score with another", "of 19 values share"],
  ["trust", "archetype recurs, all shorter versions had agreed", "% if all shorter versions agreed"],
  ["trust", "archetype recurs, half of them or fewer had agreed", "% if half of them or fewer did"],
  ["trust", "attentive: fail", "**Hardly any attentive person fails**,"],
  ["trust", "attentive: good", "%, fewest where values differ little"],
  ["trust", "any rating, each as likely: fail", "% of guesses.**"],
  ["trust", "any rating in the second block: good", "% are graded good."],
  ["trust", "any rating, each as likely: fail: short", "of guesses"],
  ["trust", "any rating, each as likely: good: short", "fail and"],
  ["trust", "any rating in the second block: good: short", "% are graded good. Use the long form"],
  ["trust", "all claims: said again: short", "% of the claims of a report are made again"],
  ["trust", "a mood in one sitting: change `single` or `joint`", "% of changes are `single` or `joint`"],
  ["trust", "a mood in both sittings: change `single` or `joint`", "% of changes for one if moods"],
  ["trust", "all claims: said again", "% are made again"],
  ["trust", "all claims: said of somebody else too", "% fit the report"],
  ["trust", "the two or four archetypes that answers lie between: said again", "one of those named in"],
  ["trust", "no gap real: some gap `joint`", "% of sessions have a `joint` gap"],
  ["trust", "attentive: fail: short", "% of attentive people fail."],
  ["trust", "no difference named: short", "% of short reports name no difference"],
  ["trust", "no difference named: long", "% of long ones"],
  ["trust", "neither a difference nor a leading value: short", "% name neither a difference nor a leading value"],
  ["trust", "no gap real: some gap `joint`: short", "% of people without a gap"],
  ["groups", `12 people, ${foundGap}`, "% of groups of 12 people"],
  ["groups", `24 people, ${foundGap}`, "% of groups of 24"],
] as const;

/** What a page says outside of tables that a command writes, of samples and of references. */
function proseOf(page: string): string {
  const text = readFileSync(`docs/${page}.md`, "utf8").replaceAll(
    /<!-- (\w+): written.*?<!-- \/\1 -->|```.*?```/gs,
    "",
  );
  return text.replace(/## References.*/s, "").replaceAll(/\s+/g, " ");
}

/** The range of the figures of a row, before or behind some words. */
function phrasesOf(row: string, beside: string): string[] {
  const figures = rowOf(row);
  const range = `${Math.round(Math.min(...figures))} to ${Math.round(Math.max(...figures))}`;
  return [`${range} ${beside}`, `${beside} ${range} %`, `${beside} ${range}`];
}

describe("the simulation", patience, () => {
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

  test.each(named)("the simulation gives the range of figures that docs/%s.md names: %s, %s", (page, row, beside) => {
    expect(phrasesOf(row, beside).some((phrase) => proseOf(page).includes(phrase))).toBe(true);
  });

  test("the simulation gives every share that docs/trust.md names, except given ones and those that other tests hold", () => {
    const ranges = named.filter(([page]) => page === "trust").flatMap(([, row, beside]) => phrasesOf(row, beside));
    const rest = ranges.reduce((prose, phrase) => prose.replaceAll(phrase, ""), proseOf("trust"));
    const given = [
      "intervals of 95 %",
      "is 5 % of it",
      "at least 1 % of the people in them",
      "The half-width of the 95 %",
      "the 95 %",
    ];
    given.push("where 5 % are meant", "in about 95 % of cases", "3 points at 50 %", "near 97 % (95 %)");
    // test/values-bridge/norms/pool
    given.push("60 % of cases, by all eight in 76 %; guessing is right in 50 %", "93 % of 500 pools");
    const others = given.reduce((prose, phrase) => prose.replaceAll(phrase, ""), rest);
    expect(others.match(/[\d.,]+ %|\d+ in \d+|\d of \d/g)).toBeNull();
  });

  test("the formulas of docs/trust.md give the numbers that it names", () => {
    const prose = proseOf("trust");
    const error = standardError(1.2193, 6, { weight: 4, squaredWeight: 4 });
    expect(readFileSync("docs/trust.md", "utf8")).toContain(`sqrt(1.2193 / 4) = ${error.toFixed(2)}`);
    expect(prose).toContain(`with 19 gaps ${criticalValue(19).toFixed(2)}`);
    expect(prose).toContain(
      `below 400 people: at the median, the half-width is then above ${(196 / 2 / 20).toFixed(1)}`,
    );
    const halfWidth = (share: number) =>
      Math.round((196 * Math.sqrt(share * (1 - share))) / Math.sqrt(defaults.people));
    expect(prose).toContain(`about ${halfWidth(0.5)} points at 50 %, and to about ${halfWidth(0.97)} point near 97 %`);
    expect(prose).toContain(`e^2.8 = ${Math.round(Math.exp(2.8))} at`);
    expect(prose).toContain(`e^8.5 = ${(100 * Math.round(Math.exp(8.5) / 100)).toLocaleString("en")}.`);
    expect(prose).toContain(`standard deviation of ${Math.sqrt(60 / 0.125).toFixed(1)} people`);
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

  test("the simulation gives other figures for another seed", () => {
    const few = { people: 20, of: populations.slice(0, 1) };
    expect(simulate({ ...few, seed: 5 })).not.toEqual(simulate({ ...few, seed: 6 }));
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
});

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
