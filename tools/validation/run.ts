// npm run validate: from an export to evidence, by R. Says how to get R where it is not there.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { howToGetR, missingOfR, runKit } from "./kit.ts";
import { pilot } from "./seeded/plans.ts";
import { seededStudy } from "./seeded/study.ts";
import { writeStudy } from "./seeded/write.ts";

const usage = `npm run validate -- EXPORT.csv CODEBOOK.json [--criteria FILE] [--retest] [--out FOLDER] [--made-up]
npm run validate -- --rehearse FOLDER   writes an export, a codebook and criteria of made-up people there
npm run validate -- --example           writes docs/example/validation, of made-up people
  --criteria FILE  CSV with a column external_id and one of numbers for each criterion
  --retest         people of whom the export has two completed sessions, compared
  --out FOLDER     where validation.json and validation.html go (default: validation)
  --made-up        marks both as made up`;

const options = {
  criteria: { type: "string" },
  retest: { type: "boolean", default: false },
  out: { type: "string", default: "validation" },
  "made-up": { type: "boolean", default: false },
  rehearse: { type: "string" },
  example: { type: "boolean", default: false },
} as const;

/** @returns the exit code */
function main(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.rehearse !== undefined) {
    const files = writeStudy(values.rehearse, seededStudy(pilot));
    const command = `npm run validate -- ${files.export} ${files.codebook} --criteria ${files.criteria} --retest --made-up`;
    console.log(`Answers of made-up people. Now:\n${command}`);
    return 0;
  }
  const missing = missingOfR();
  if (missing.length > 0) {
    console.error(`The kit needs R. Not here: ${missing.join(", ")}. On Debian or Ubuntu, as root:\n${howToGetR}`);
    return 1;
  }
  if (values.example) return makeExample();
  const [exportFile, codebook, ...more] = positionals;
  if (exportFile === undefined || codebook === undefined || more.length > 0) throw new TypeError("Give two files.");
  const { criteria, retest, out } = values;
  const { status, stderr } = runKit({ export: exportFile, codebook, criteria, retest, out, madeUp: values["made-up"] });
  if (status === 0) console.log(`${join(out, "validation.json")}\n${join(out, "validation.html")}`);
  else console.error(stderr.trim());
  return status;
}

/** The example of the documentation. Its export is not kept: it is the plan's. */
function makeExample(): number {
  const folder = mkdtempSync(join(tmpdir(), "pas-rehearsal-"));
  try {
    const files = writeStudy(folder, seededStudy(pilot));
    return runKit({ ...files, retest: true, madeUp: true, out: "docs/example/validation" }).status;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
