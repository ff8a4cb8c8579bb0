// The command line: argv to a command. The only file with effects on import.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Code compiled once is kept for the next start, which takes a third less time and memory; so all else is imported later.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));

const { runProgram } = await import("./cli/program.ts");
const { readConfig } = await import("./config.ts");

process.exitCode = await runProgram(process.argv.slice(2), {
  openConfig: () => readConfig(process.env),
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
