// The context of every command, and its usage error.
import type { Config } from "../config.ts";

export interface CommandContext {
  readonly config: Config;
  /** Writes a line for people, on stderr. */
  readonly say: (line: string) => void;
  /** Writes a result for programs, as one line of JSON on stdout. */
  readonly print: (result: unknown) => void;
  /** Writes a text for people, or a file, as the command's result on stdout, unchanged. */
  readonly write: (output: string | Uint8Array) => void;
}

/** Creates the context when a command runs, not before: help needs no valid configuration. */
export type OpenContext = () => CommandContext;

/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
