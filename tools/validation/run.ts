// npm run validate: from an export to evidence, by R. Says how to get R where it is not there.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { howToGetR, missingOfR, runKit } from "./kit.ts";
import { example } from "./seeded/plans.ts";
import { seededStudy } from "./seeded/study.ts";
import { writeStudy } from "./seeded/write.ts";

const usage = `npm run validate -- EXPORT.csv CODEBOOK.json [--criteria FILE] [--retest] [--out FOLDER] [--made-up]
npm run validate -- --rehearse FOLDER   writes an export, a codebook, criteria and the answers of made-up people there
npm run validate -- --example           writes docs/example/validation/validation.html, of made-up people
  --criteria FILE  CSV with a column external_id and one of numbers for each criterion
  --retest         people of whom the export has two completed sessions, compared
  --out FOLDER     where validation.json and validation.html go (default: validation)
  --made-up        marks both as made up`;

/** Fewer than those of a study: its intervals are a picture. */
const exampleDraws = 200;
/** What guides show of it, by its name there. */
const examplePictures = [
  { name: "validation-circle", alt: "Circle of values of the life wanted" },
  { name: "validation-reliability", alt: "Omega, Life wanted" },
];

/** @returns the exit code */
function main(args: readonly string[]): number {
  const isOwn = args.some((each) => /^--(?:example|rehearse)\b/.test(each));
  const options = { rehearse: { type: "string" }, example: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: isOwn ? [...args] : [], options });
  if (values.example && values.rehearse !== undefined) throw new TypeError("Give --example or --rehearse.");
  if (values.rehearse !== undefined) {
    const files = writeStudy(values.rehearse, seededStudy(example));
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
  const { status, stdout, stderr } = runKit(args);
  if (status === 0) console.log(stdout.trim());
  else console.error(`${stderr.trim()}\n${usage}`);
  return status;
}

/** The page of the documentation's example. What it is made from is not kept: it is the plan's. */
function makeExample(): number {
  const page = "docs/example/validation/validation.html";
  const folder = mkdtempSync(join(tmpdir(), "pas-rehearsal-"));
  try {
    const files = writeStudy(folder, seededStudy(example));
    const options = ["--retest", "--made-up", "--criteria", files.criteria, `--draws=${exampleDraws}`, "--out", folder];
    const { status, stderr } = runKit([files.export, files.codebook, ...options]);
    if (status !== 0) {
      console.error(stderr.trim());
      return status;
    }
    copyFileSync(join(folder, "validation.html"), page);
    for (const picture of examplePictures) keepPicture(page, picture);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A picture of the example as a file, for guides. */
function keepPicture(page: string, { name, alt }: (typeof examplePictures)[number]): void {
  const [, data = ""] = readFileSync(page, "utf8").split(`<img alt="${alt}" src="data:image/svg+xml,`);
  const svg = decodeURIComponent(data.slice(0, data.indexOf('"')));
  const titled = svg.replace(/<svg [^>]*>/, (tag) => `${tag}<title>${alt}, of made-up people</title>`);
  writeFileSync(`docs/pictures/${name}.svg`, titled);
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
