// A test command: runs its suites one after the other, and says what it ran and what it left out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import type { Extent } from "./short-runs.ts";
import { commands, leftOut } from "./suites.ts";
import { type Prepared, reasonOf, type Suite } from "./support/run/suite.ts";

const usage = `npm run COMMAND -- [--only SUITE,…] [--except SUITE,…] [--short] [--release] [FILE …] [option of vitest …]
  --only, --except  suites of the command
  --short           less of each where the rest is alike, as npm test does: test/short-runs.ts
  --release         what this machine lacks is a failure`;

const options = {
  only: { type: "string" },
  except: { type: "string" },
  short: { type: "boolean" },
  release: { type: "boolean" },
  help: { type: "boolean" },
} as const;

interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Of each failure the test and the first line of why, to be found at the end of a long output. */
  readonly failures: readonly string[];
  /** Seconds. */
  readonly seconds: number;
  readonly isGood: boolean;
  readonly missing: readonly string[];
  /** Why it did not run at all. */
  readonly notRun?: string;
}

const folder = ".vitest";
const [command = "", ...args] = process.argv.slice(2);
const { values, tokens } = parseArgs({ args, options, strict: false, tokens: true });
const rest = forVitest();
/** What everybody runs before a push is short; `test:all` has the rest. */
const extent: Extent = values.short === true || command === "test" ? "short" : "full";
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
process.exitCode = values.help === true ? help() : await runCommand();

function help(): number {
  console.log(usage);
  for (const [name, suites] of Object.entries(commands)) {
    console.log(`\nnpm run ${name}`);
    for (const suite of suites) console.log(`  ${suite.name.padEnd(12)}${suite.shows}`);
  }
  return 0;
}

/** What is not of this command, as it was written. */
function forVitest(): readonly string[] {
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== "option" || !Object.hasOwn(options, token.name)) return [];
      return token.value !== undefined && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
    }),
  );
  return args.filter((_, index) => !own.has(index));
}

async function runCommand(): Promise<number> {
  const suites = commands[command] ?? [];
  const namesOf = (value: unknown) => (typeof value === "string" ? value.split(",") : undefined);
  const [only, except = []] = [namesOf(values.only), namesOf(values.except)];
  const unknown = [...(only ?? []), ...except].filter((name) => !suites.some((suite) => suite.name === name));
  if (suites.length === 0 || unknown.length > 0) {
    const names = suites.map(({ name }) => name).join(", ") || Object.keys(commands).join(", ");
    console.error(`${unknown.join(", ") || `"${command}"`}: not one of ${names}\n${usage}`);
    return 2;
  }
  const isAsked = ({ name, isFullOnly }: Suite) =>
    (only?.includes(name) ?? true) && !except.includes(name) && !(extent === "short" && isFullOnly === true);
  const chosenSuites = suites.filter(isAsked);
  await mkdir(folder, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const suite of chosenSuites) {
    if (stop.signal.aborted) break;
    outcomes.push(await runSuite(suite, chosenSuites.length === 1));
  }
  report(
    outcomes,
    suites.filter((suite) => !chosenSuites.includes(suite)).map(({ name }) => name),
  );
  const lacks = outcomes.some(({ notRun, missing }) => notRun !== undefined || missing.length > 0);
  return stop.signal.aborted || outcomes.some(({ isGood }) => !isGood) || (values.release === true && lacks) ? 1 : 0;
}

/** Files that are asked for may be of another suite: nothing was run then, and nothing is wrong. */
async function runSuite({ name, shows, projects = [], config, prepare }: Suite, isAlone: boolean): Promise<Outcome> {
  console.log(`\n=== ${name}: ${shows}`);
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1000);
  const none = { name, passed: 0, failed: 0, failures: [], missing: [] };
  let prepared: Prepared;
  try {
    prepared = (await prepare?.(extent)) ?? {};
  } catch (error) {
    return { ...none, seconds: seconds(), isGood: true, notRun: reasonOf(error) };
  }
  const { environment, missing = [], finish } = prepared;
  try {
    const resultsFile = `${folder}/${name}.json`;
    // A run that is killed would otherwise be counted by the one before it.
    await rm(resultsFile, { force: true });
    const code = await vitest(
      [
        ...projects.map((project) => `--project=${project}`),
        ...(config === undefined ? [] : [`--config=${config}`]),
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`],
        ...(rest.length > 0 && !isAlone ? ["--passWithNoTests"] : []),
      ],
      environment,
    );
    const results = await readFile(resultsFile, "utf8").catch(() => "{}");
    const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = JSON.parse(results);
    const failures = failuresOf(testResults);
    return { name, passed, failed, failures, seconds: seconds(), isGood: code === 0 && failed === 0, missing };
  } finally {
    await finish?.();
  }
}

/** The part of vitest's report that tells of failures. */
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

function failuresOf(files: readonly FileResult[]): readonly string[] {
  const line = (file: string, test: string, message = "") =>
    `${relative(".", file)} ${test}: ${message.split("\n", 1)[0]}`;
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === "failed");
    if (failed.length === 0) return status === "failed" ? [line(name, "", message)] : [];
    return failed.map(({ fullName, failureMessages: [why] }) => line(name, fullName, why));
  });
}

/** @returns the exit code */
async function vitest(given: readonly string[], environment: Prepared["environment"]): Promise<number | null> {
  const env = { ...process.env, ...environment, TEST_EXTENT: extent };
  const running = spawn("vitest", ["run", ...given, ...rest], { stdio: "inherit", env });
  const end = () => running.kill("SIGTERM");
  stop.signal.addEventListener("abort", end);
  const [code] = await once(running, "exit");
  stop.signal.removeEventListener("abort", end);
  return code;
}

function report(outcomes: readonly Outcome[], others: readonly string[]): void {
  console.log(`\nRan ${extent === "short" ? "short (test/short-runs.ts)" : "in full"}:`);
  for (const { name, passed, failed, seconds, isGood, notRun } of outcomes) {
    if (notRun !== undefined) console.log(`!!! ${name.padEnd(12)}NOT RUN: ${notRun}`);
    else console.log(`${isGood ? "   " : "!!!"} ${name.padEnd(12)}${passed} passed, ${failed} failed, ${seconds} s`);
  }
  for (const { failures } of outcomes) {
    for (const failure of failures) console.log(`!!! ${failure}`);
  }
  for (const { name, missing } of outcomes) {
    for (const line of missing) console.log(`!!! ${name}: NOT TESTED ${line}`);
  }
  if (rest.length > 0) console.log(`Only what goes with: ${rest.join(" ")}`);
  if (others.length > 0) console.log(`Left out of npm run ${command}: ${others.join(", ")}`);
  for (const [other, names] of leftOut(command)) console.log(`Left to npm run ${other}: ${names.join(", ")}`);
  const sum = (numbers: readonly number[]) => numbers.reduce((one, next) => one + next, 0);
  console.log(
    `${sum(outcomes.map(({ passed }) => passed))} passed, ${sum(outcomes.map(({ failed }) => failed))} failed`,
  );
}
