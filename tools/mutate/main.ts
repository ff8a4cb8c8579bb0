// npm run mutate -- FOLDER...: Stryker puts small faults into a folder and runs its tests for each of them; what was
// found before and has not changed is not tried again. Its score is written to scores.json, and npm run docs shows it.
// npm run mutate -- --changed [COMMIT]: only the lines that were changed since, for a minute at most. What survives is
// printed and fails nothing: how many mutants a minute tries depends on the machine.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { changedSince, rangesOf } from "./changed-lines.ts";
import { folderNamed, folders, type MutatedFolder } from "./folders.ts";
import { percentOf, readReport, type Score } from "./report.ts";

/** Per cent of the mutants that are run which are to be noticed. */
const wanted = 85;
/** Fewer mutants say little by their share: one of them may change nothing that anybody sees. */
const minJudged = 10;
const changedMs = 60_000;
const outputs = ".stryker";
const scoresFile = "tools/mutate/scores.json";

const [first, commit = "HEAD~1"] = process.argv.slice(2);
if (first === undefined) {
  console.log(
    `npm run mutate -- FOLDER... or --changed [COMMIT]. Folders: ${folders.map(({ name }) => name).join(", ")}`,
  );
  process.exitCode = 2;
} else if (first === "--changed") {
  await mutateChanged(commit);
} else {
  for (const folder of process.argv.slice(2).map(folderNamed)) await mutateFolder(folder);
}

async function mutateFolder(folder: MutatedFolder): Promise<void> {
  const score = await mutate(folder, folder.files, { isIncremental: true });
  if (score === undefined) return;
  const scores = { ...knownScores(), [folder.name]: score };
  const sorted = Object.fromEntries(Object.entries(scores).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(scoresFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

function knownScores(): Readonly<Record<string, Score>> {
  return JSON.parse(readFileSync(scoresFile, "utf8"));
}

/** A folder that has come so far is held to it. What tests with a database hold, these tests run by the way. */
function hasReached(name: string): boolean {
  const score = knownScores()[name];
  return score !== undefined && (percentOf(score) ?? 0) >= wanted;
}

async function mutateChanged(since: string): Promise<void> {
  const ranges = changedSince(since);
  if (ranges === undefined) return console.log(`git does not know ${since}: nothing is tried`);
  const end = performance.now() + changedMs;
  for (const folder of folders) {
    const own = rangesOf(folder, ranges);
    if (own.length === 0) continue;
    const left = end - performance.now();
    if (left <= 0) console.log(`${folder.name}: not tried, the minute is over. npm run mutate -- ${folder.name}`);
    else await mutate(folder, own, { isIncremental: false, limitMs: left });
  }
}

/** @returns undefined if there is no report: Stryker failed, or its time was over */
async function mutate(
  { name, leavesOutStatic }: MutatedFolder,
  files: readonly string[],
  { isIncremental, limitMs }: { readonly isIncremental: boolean; readonly limitMs?: number },
): Promise<Score | undefined> {
  const file = `${outputs}/${name.replaceAll("/", "-")}`;
  mkdirSync(outputs, { recursive: true });
  rmSync(`${file}.report.json`, { force: true });
  writeFileSync(`${file}.config.json`, JSON.stringify(optionsOf(file, files, isIncremental, leavesOutStatic)));
  const outcome = await stryker(name, `${file}.config.json`, limitMs);
  if (outcome === "out of time") {
    console.log(`${name}: a minute was not enough for what was changed. npm run mutate -- ${name}`);
    return undefined;
  }
  if (outcome === "failed") {
    console.log(`${name}: Stryker failed, see above`);
    if (isIncremental) process.exitCode = 1;
    return undefined;
  }
  const { score, survivors } = readReport(`${file}.report.json`);
  for (const { file: path, line, text, replaced, mutator, replacement } of survivors) {
    console.log(`SURVIVED  ${path}:${line} ${mutator}: ${text}\n            ${replaced}  →  ${replacement}`);
  }
  const { noticed, survived, uncovered } = score;
  const percent = percentOf(score);
  console.log(
    `${name}: ${noticed} noticed, ${survived} survived, ${uncovered} in code that these tests do not run; ` +
      `${percent === null ? "none was run" : `${percent.toFixed(1)} % of those that were run`}`,
  );
  const isJudged = isIncremental && noticed + survived >= minJudged && hasReached(name);
  if (isJudged && percent !== null && percent < wanted) process.exitCode = 1;
  return score;
}

function optionsOf(file: string, files: readonly string[], isIncremental: boolean, ignoreStatic = false) {
  return {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "tools/mutate/vitest.config.ts", related: false },
    // Stryker would rewrite the configuration of the compiler with the API of TypeScript, which version 7 has not.
    tsconfigFile: "none",
    mutate: files,
    ignoreStatic,
    concurrency: Math.max(1, Math.min(availableParallelism(), 8)),
    tempDirName: `${outputs}/tmp-${basename(file)}`,
    ignorePatterns: [".*", "deploy", "dist", "examples", "mcp", "releases"],
    reporters: ["json"],
    jsonReporter: { fileName: `${file}.report.json` },
    incremental: isIncremental,
    incrementalFile: `${file}.incremental.json`,
    allowEmpty: true,
  };
}

function stryker(folder: string, config: string, limitMs?: number): Promise<"ended" | "failed" | "out of time"> {
  const child = spawn("stryker", ["run", config], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, MUTATED_FOLDER: folder },
    // A group of its own, which ends with all that run the tests.
    detached: true,
  });
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
  };
  let isOutOfTime = false;
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          isOutOfTime = true;
          end();
        }, limitMs);
  process.once("SIGINT", end);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      process.off("SIGINT", end);
      if (isOutOfTime) resolve("out of time");
      else resolve(code === 0 ? "ended" : "failed");
    });
  });
}
