// The command line: argv to a command. The only file with effects on import.
import { UsageError } from "./cli/command.ts";
import { runCommand } from "./cli/commands.ts";
import { readConfig } from "./config.ts";

try {
  await runCommand(process.argv.slice(2), {
    config: readConfig(process.env),
    say: (line) => process.stderr.write(`${line}\n`),
    print: (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
    write: (text) => process.stdout.write(`${text}\n`),
  });
} catch (error) {
  process.stderr.write(`pas: ${error instanceof Error ? error.message : "the command failed"}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
