// The reference of the command line, written from what the commands declare.
import { type CommandUnknownOpts, Help } from "@commander-js/extra-typings";
import { createProgram } from "../../../src/cli/program.ts";
import { readConfig } from "../../../src/config.ts";
import { comments } from "../../../src/gen/comments.ts";
import { fenced, table } from "../markdown.ts";

/** Every command, by the headings of `pas help`. */
export function commandReference(): string {
  const silent = { openConfig: () => readConfig({}), stdout: () => undefined, stderr: () => undefined };
  const pas = createProgram(silent, comments);
  const byHeading = Map.groupBy(pas.commands, (command) => command.helpGroup() ?? "");
  const parts = [...byHeading].map(([heading, commands]) =>
    [`## ${heading.replace(/:$/, "")}`, ...commands.flatMap(listCommands).map(commandPart)].join("\n\n"),
  );
  return parts.join("\n\n");
}

function commandPart(command: CommandUnknownOpts): string {
  const help = new Help();
  const description = command.description();
  const rows = [
    ...command.registeredArguments.map((argument) => [`\`${argument.name()}\``, help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== "--help")
      .map((option) => [`\`${option.flags}\``, help.optionDescription(option)]),
  ];
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  const parts = [fenced("", describeUsage(command)), sentence];
  return [...parts, ...(rows.length > 0 ? [table(["Takes", "Meaning"], rows)] : [])].join("\n\n");
}

/** The command itself, or those below it. */
export function listCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listCommands);
}

/** A command as it is typed: name, arguments, options. */
function describeUsage(command: CommandUnknownOpts): string {
  const help = new Help();
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "…" : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help")
    .map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return ["pas", commandName(command), ...words, ...options].join(" ");
}

/** Name of a command below `pas`: `client create`. */
export function commandName(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null ? "" : `${commandName(parent)} ${command.name()}`.trim();
}
