// The program `pas` in this process.
import { runProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";
import type { Environment, Finished } from "./command.ts";

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
