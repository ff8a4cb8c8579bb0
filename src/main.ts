// The command line: argv to a command. The only file with effects on import.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Code compiled once is kept for the next start, which takes a third less time and memory; so all else is imported later.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));

const { UsageError } = await import("./cli/command.ts");
const { runCommand } = await import("./cli/commands.ts");
const { linesOf } = await import("./cli/faults.ts");
const { readConfig } = await import("./config.ts");

try {
  await runCommand(process.argv.slice(2), {
    config: readConfig(process.env),
    say: (line) => process.stderr.write(`${line}\n`),
    print: (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
    write: (text) => process.stdout.write(`${text}\n`),
    writeBytes: (bytes) => process.stdout.write(bytes),
  });
} catch (error) {
  for (const line of linesOf(error)) process.stderr.write(`pas: ${line}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
