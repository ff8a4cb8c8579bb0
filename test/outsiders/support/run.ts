// Other programs, run to their end.
import { execFile } from "node:child_process";

const maxOutputBytes = 16 << 20;
/** No program takes as long, unless it waits for a network that answers nothing. */
const maxMilliseconds = 20 * 60_000;

/** What a program wrote on stdout and stderr. Throws with all of it where the program fails. */
export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  return runIn(process.cwd(), program, args, environment);
}

/** The same in a folder. */
export function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const options = { cwd: folder, env, maxBuffer: maxOutputBytes, timeout: maxMilliseconds };
  return new Promise((done, fail) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) done(output);
      else fail(new Error(`${program} ${args.slice(0, 2).join(" ")} failed (${error.code}): ${output.slice(-8_000)}`));
    });
  });
}
