// How commands are named and grouped in help.
import { type CommandUnknownOpts, Help } from "@commander-js/extra-typings";

/** Options that every usage line would repeat. */
const aboutOptions: ReadonlySet<string> = new Set(["--help", "--version"]);

/** Gives a command, and all below it, a heading in lists of commands. */
export function group(command: CommandUnknownOpts, heading: string): void {
  command.helpGroup(heading).commandsGroup(heading);
  if (command.commands.length > 0) command.helpCommand("help [command]", "show this help, or that of a command");
  for (const each of command.commands) group(each, heading);
}

/** The command itself, or those below it. */
export function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
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
