// The package of clients/typescript, made once before the tests that use it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const cwd = "clients/typescript";

export async function setup(): Promise<void> {
  const run = promisify(execFile);
  await run("npm", ["ci", "--ignore-scripts"], { cwd });
  await run("npm", ["run", "prepack"], { cwd });
}
