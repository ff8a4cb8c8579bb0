// What a command is, and how its arguments are read.
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";

export interface CommandContext {
  readonly config: Config;
  /** Arguments behind the command's name. */
  readonly args: readonly string[];
  /** Writes a line for people, on stderr. */
  readonly say: (line: string) => void;
  /** Writes a result for programs, as one line of JSON on stdout. */
  readonly print: (result: unknown) => void;
  /** Writes a text for people as the command's result, on stdout. */
  readonly write: (text: string) => void;
  /** Writes a file as the command's result, on stdout, as it is. */
  readonly writeBytes: (bytes: Uint8Array) => void;
}

export interface Command {
  /** Arguments behind the name, as `--help` shows them. */
  readonly usage: string;
  /** One line. */
  readonly about: string;
  readonly run: (context: CommandContext) => Promise<void>;
}

/** A mistake in how a command was called: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type OptionKinds = Readonly<Record<string, "string" | "boolean">>;
type OptionValues<K extends OptionKinds> = { [N in keyof K]?: K[N] extends "string" ? string : boolean };

/** Options and positional arguments of a command. Throws UsageError for unknown ones and wrong numbers of them. */
export function readArguments<K extends OptionKinds>(
  args: readonly string[],
  kinds: K,
  positionals: readonly string[] = [],
): { options: OptionValues<K>; positionals: string[] } {
  const options = Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }]));
  let parsed: { values: object; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: positionals.length > 0, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "the arguments cannot be read");
  }
  if (parsed.positionals.length !== positionals.length) {
    throw new UsageError(`${positionals.join(" ")} expected, ${parsed.positionals.length} arguments given`);
  }
  return { options: parsed.values as OptionValues<K>, positionals: parsed.positionals };
}

/** A required option. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${option} is required`);
  return value;
}
