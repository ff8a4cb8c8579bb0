// The command line as its users run it: a process of its own.
import { type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** Runs a command to its end. */
export async function pas(args: readonly string[], environment: Environment): Promise<Finished> {
  const running = startPas(args, environment);
  return { code: await running.ended, ...running.output() };
}

/** What a command on a database needs: no data folder, so that none is made. */
export function onDatabase({ url }: Reachable): Environment {
  return { DATABASE_URL: url, DATA_DIR: join(tmpdir(), "pas-never-made") };
}

export interface Reachable {
  readonly url: string;
}

/** What a command has printed for programs, line by line. */
export function printedBy({ stdout }: Finished): ReturnType<typeof JSON.parse>[] {
  return linesIn(stdout);
}

/** The values of a text that has one in JSON on each line. */
export function linesIn(text: string): ReturnType<typeof JSON.parse>[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

export interface RunningCommand {
  readonly pid: number;
  readonly ended: Promise<number | null>;
  output(): { stdout: string; stderr: string };
  /** Resolves with the match as soon as what was written so far, on either stream, has one. */
  wrote(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
}

/** The options of Node that `pas` starts with. @param main the file that it starts */
export function startOptions(main = "src/main.js"): string[] {
  return firstWords(main).filter((word) => word.startsWith("--"));
}

/** The variables that it sets for Node. */
export function startVariables(main = "src/main.js"): Record<string, string> {
  const variables = firstWords(main).filter((word) => /^[A-Z_]+=/.test(word));
  return Object.fromEntries(variables.map((word) => word.split("=")));
}

function firstWords(main: string): string[] {
  const [firstLine = ""] = readFileSync(main, "utf8").split("\n");
  return firstLine.split(" ");
}

export interface StartOptions {
  /** Folder of another commit whose command it is, with its dependencies installed; this one if not given. */
  readonly checkout?: string | undefined;
  /** Whether it is killed with this process, whatever becomes of that. */
  readonly diesWithParent?: boolean;
}

/** Starts a command. Only the given environment, and what programs need to run at all, is passed on. */
export function startPas(
  args: readonly string[],
  environment: Environment,
  { checkout = ".", diesWithParent = false }: StartOptions = {},
): RunningCommand {
  const { PATH = "", HOME = "" } = process.env;
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const main = resolve(checkout, scripts.pas.replace(/^exec /, ""));
  const wrapper = diesWithParent ? ["setpriv", "--pdeathsig", "KILL"] : [];
  return startProgram([...wrapper, process.execPath, ...startOptions(main), main, ...args], {
    cwd: checkout,
    env: { PATH, HOME, ...startVariables(main), ...environment },
  });
}

/** Starts a program with its words. */
export function startProgram(
  [program = "", ...words]: readonly string[],
  options: SpawnOptionsWithoutStdio,
): RunningCommand {
  const child = spawn(program, words, options);
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      for (const check of waiting) check();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => ({ ...texts }),
    kill: (signal) => child.kill(signal),
    wrote: (pattern) =>
      new Promise((settle, reject) => {
        const check = () => {
          const match = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr);
          if (match === null) return;
          waiting.delete(check);
          settle(match);
        };
        waiting.add(check);
        check();
        ended.then(() => reject(new Error(`ended without ${pattern}: ${texts.stdout} ${texts.stderr}`)), reject);
      }),
  };
}
