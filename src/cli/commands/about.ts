// Help, and how commands are named and grouped.
import { type Command, type CommandUnknownOpts, Help } from "@commander-js/extra-typings";
import { UsageError } from "../command.ts";

/** Declares `pas help`, after all other commands. */
export function addAboutCommands(pas: Command): void {
  pas
    .helpCommand(false)
    .command("help")
    .description("shows what a command does and takes")
    .argument("[command...]", "its name; without one all commands are listed")
    .action((words) => namedCommand(pas, words).outputHelp());
  for (const command of pas.commands) if (command.helpGroup() === "") setHeading(command, "About pas:");
  pas.configureHelp({
    commandUsage: usageOf,
    subcommandTerm: nameOf,
    // Help lists the commands of all groups. For a wrong word, a command or group of the same level is proposed.
    formatHelp: (command, help) =>
      new Help().formatHelp(command, Object.assign(help, { visibleCommands: leavesBelow })),
  });
}

function namedCommand(pas: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  return words.reduce((command, word) => {
    const subcommand = command.commands.find((each) => each.name() === word);
    if (subcommand === undefined)
      throw new UsageError(`there is no command ${words.join(" ")}; \`pas help\` lists them`);
    return subcommand;
  }, pas);
}

/** Options that every usage line would repeat. */
const aboutOptions: ReadonlySet<string> = new Set(["--help", "--version"]);

/** Gives a command, and all below it, a heading in lists of commands. */
export function setHeading(command: CommandUnknownOpts, heading: string): void {
  command.helpGroup(heading).commandsGroup(heading);
  if (command.commands.length > 0) command.helpCommand("help [command]", "show this help, or that of a command");
  for (const each of command.commands) setHeading(each, heading);
}

/** The command itself, or those below it. */
export function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function leavesBelow({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap(leavesOf);
}

/** A command as it is typed: name, arguments, options. */
export function usageOf(command: CommandUnknownOpts): string {
  const operands = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "…" : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = new Help().visibleOptions(command).filter(({ long }) => !aboutOptions.has(long ?? ""));
  const words = options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  const below = command.commands.length > 0 ? ["<command>"] : [];
  return ["pas", nameOf(command), ...below, ...operands, ...words].filter((word) => word !== "").join(" ");
}

/** Name of a command below `pas`: `client create`. */
export function nameOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null ? "" : `${nameOf(parent)} ${command.name()}`.trim();
}
