// Commands that tell about the others.
import tab from "@bomb.sh/tab/commander";
import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Command as PlainCommand } from "commander";
import { UsageError } from "../command.ts";
import { leavesOf, nameOf, usageOf } from "./help.ts";

/** Declares `pas help` and `pas complete`, after all other commands. */
export function addAboutCommands(pas: Command): void {
  pas
    .helpCommand(false)
    .command("help")
    .description("show what a command does and takes")
    .argument("[command...]", "its name; without one all commands are listed")
    .action((words) => namedCommand(pas, words).outputHelp());
  // It knows the class without its types, which are all that the other package adds.
  tab(pas as unknown as PlainCommand);
  for (const command of pas.commands.filter((each) => each.name() === "complete")) {
    command.description("print what makes a shell complete commands: bash, zsh, fish or powershell");
  }
  // Completion asks for the commands below each one, people for all of them.
  pas.configureHelp({
    commandUsage: usageOf,
    visibleCommands: (command) => command.commands.flatMap(leavesOf),
    subcommandTerm: nameOf,
  });
}

function namedCommand(pas: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  return words.reduce((command, word) => {
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) throw new UsageError(`there is no command ${words.join(" ")}; \`pas help\` lists them`);
    return found;
  }, pas);
}
