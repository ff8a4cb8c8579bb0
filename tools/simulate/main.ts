// npm run simulate: how good quality and error are on people whose true scores are known.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fillPlaces, readParts } from "../docs/markdown.ts";
import { simulateGroups } from "./groups.ts";
import { populations } from "./populations.ts";
import { defaults, reportPeople, simulate, simulateReports } from "./simulation.ts";

const usage = `npm run simulate -- [--people N] [--seed N] [--reports] [--write]
  --people N  people of each population and figure, 1 to 1000000 (default: ${defaults.people})
  --seed N    whole number, 0 to 4294967295; the same seed gives the same figures (default: ${defaults.seed})
  --reports   simulate what reports say alone, of ${reportPeople} people of each population and form unless told
  --write     also write the figures into docs/trust.md, docs/reports.md and docs/groups.md`;

function wholeNumber(text: string | undefined, standard: number, least: number, most: number): number {
  if (text === undefined) return standard;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new RangeError(`${text} is not a whole number from ${least} to ${most}`);
  }
  return value;
}

/** Fills one place of a page, and leaves the others as they are. */
function fill(file: string, part: Readonly<Record<string, string>>): void {
  const page = readFileSync(file, "utf8");
  writeFileSync(file, fillPlaces(page, { ...readParts(page), ...part }));
}

try {
  const { values } = parseArgs({
    options: {
      people: { type: "string" },
      seed: { type: "string" },
      reports: { type: "boolean" },
      write: { type: "boolean" },
    },
  });
  const seed = wholeNumber(values.seed, defaults.seed, 0, 2 ** 32 - 1);
  const number = (standard: number) => wholeNumber(values.people, standard, 1, 1_000_000);
  const repeated = simulateReports({ people: number(reportPeople), seed, of: populations });
  console.log(`${repeated}\n`);
  if (values.write) fill("docs/reports.md", { repeated });
  if (values.reports) process.exit();
  const people = number(defaults.people);
  const { figures, forms, incomplete } = simulate({ people, seed, of: populations });
  const groups = await simulateGroups(seed);
  const simulated = `${people} people of each population and figure, seed ${seed}.\n\n${figures}`;
  console.log(`${simulated}\n\n${forms}\n\n${incomplete}\n\n${groups.organisations}\n\n${groups.pooled}`);
  if (values.write) {
    fill("docs/trust.md", { simulated, forms, incomplete });
    fill("docs/groups.md", groups);
  }
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
