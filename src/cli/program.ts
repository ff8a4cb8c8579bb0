// The program `pas`: its commands and their common parts.
import { Command, CommanderError } from "@commander-js/extra-typings";
import { releaseVersion } from "../kernel/release.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { headings } from "./commands/rows.ts";
import { addCommands, type Comments } from "./commands/table.ts";
import { describeError } from "./faults.ts";

/** The input and output of a program. */
export interface ProgramIo {
  readonly openConfig: () => CommandContext["config"];
  readonly stdout: (output: string | Uint8Array) => void;
  readonly stderr: (text: string) => void;
}

/** Nobody reads the output any more. */
export class OutputClosed extends Error {}

/** The exit code that a shell reports for a program ended by SIGPIPE. */
const brokenPipe = 141;

/** The program with all of its commands. A command's code is imported when it runs. @param comments for the help */
export function createProgram({ openConfig, stdout, stderr }: ProgramIo, comments: Comments): Command {
  const open = () => ({
    config: openConfig(),
    say: (line: string) => stderr(`${line}\n`),
    print: (result: unknown) => stdout(`${JSON.stringify(result)}\n`),
    write: stdout,
  });
  const pas = new Command("pas")
    .description("Run the Partner Assessment Service, and look after it.")
    .version(releaseVersion, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      outputError: (text, write) => write(`${joinLines(text.replace(/^error: /, "pas: "))}\n`),
    });
  for (const [heading, words] of Object.entries(headings)) {
    pas.commandsGroup(heading);
    for (const word of words) addCommands(pas, open, comments, word);
  }
  return pas.commandsGroup("About pas:").helpCommand("help [command]", "show this help, or that of a command");
}

/** Runs a command. @returns the exit code: 0, 1 with reasons on stderr, 2 for wrong usage, or 141 if nobody reads on */
export async function runProgram(words: readonly string[], io: ProgramIo): Promise<number> {
  try {
    // A serving process shows no help on other commands.
    const { comments } = words[0] === "serve" ? { comments: {} } : await import("../gen/comments.ts");
    await createProgram(io, comments).parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof OutputClosed) return brokenPipe;
    // Commander has written the message, and requested help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const line of describeError(error)) io.stderr(`pas: ${joinLines(line)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function joinLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
