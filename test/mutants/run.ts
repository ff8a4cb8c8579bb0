// npm run test:mutants [-- WORDS]: puts each fault of the table into a copy of the code and runs the tests that have to
// notice it. With words, only the faults that contain them.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Mutant, mutated } from "./mutant.ts";
import { mutants } from "./mutants.ts";

/** A run of tests that takes longer hangs, which notices the fault too. */
const longestMs = 300_000;

const words = process.argv.slice(2).join(" ");
const chosen = mutants.filter(({ fault, file }) => `${file}: ${fault}`.includes(words));
const copy = mkdtempSync(join(tmpdir(), "pas-mutants-"));
try {
  copyCode();
  // Many faults have the same tests, which are run once without any.
  const suites = Map.groupBy(chosen, ({ project, tests }) => `${project} ${tests.join(" ")}`);
  const tried: Mutant[] = [];
  for (const [suite, faults] of suites) {
    if (faults.slice(0, 1).every(passes)) tried.push(...faults);
    else console.log(`UNFIT     ${suite} fails without a fault: ${faults.map(({ fault }) => fault).join("; ")}`);
  }
  const noticed = tried.filter(isNoticed);
  console.log(
    `${noticed.length} of ${chosen.length} faults were noticed, ${chosen.length - tried.length} were not tried`,
  );
  process.exitCode = noticed.length === chosen.length && chosen.length > 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true });
}

/** The files of the working tree, so that a fault never stands in it. */
function copyCode(): void {
  const options = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", options, { encoding: "utf8" }).split("\0");
  for (const file of files.filter(Boolean)) cpSync(file, join(copy, file));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
}

function isNoticed(mutant: Mutant): boolean {
  const file = join(copy, mutant.file);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, mutated(text, mutant));
  const survives = passes(mutant);
  writeFileSync(file, text);
  console.log(`${survives ? "SURVIVED" : "noticed "}  ${mutant.file}: ${mutant.fault}`);
  return !survives;
}

function passes({ project, tests }: Mutant): boolean {
  const projects = [`--project=${project}`, `--project=${project}-alone`];
  const { status } = spawnSync("vitest", ["run", "--bail=1", ...projects, ...tests], {
    cwd: copy,
    stdio: "ignore",
    timeout: longestMs,
  });
  return status === 0;
}
