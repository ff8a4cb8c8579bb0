// The program `pas` in this process.
import { runProgram } from "../../../src/cli/program.ts";
import { readConfig } from "../../../src/config.ts";
import { type Environment, type Finished, onDatabase, type Reachable } from "./command.ts";

/** Runs a command to its end. */
export async function runPas(words: readonly string[], environment: Environment): Promise<Finished> {
  const texts = { stdout: "", stderr: "" };
  const code = await runProgram(words, {
    openConfig: () => readConfig(environment),
    stdout: (output) => {
      texts.stdout += typeof output === "string" ? output : Buffer.from(output).toString();
    },
    stderr: (text) => {
      texts.stderr += text;
    },
  });
  return { code, ...texts };
}

/** Runs a command on a database. */
export function pasOn(database: Reachable, ...words: string[]): Promise<Finished> {
  return runPas(words, onDatabase(database));
}
