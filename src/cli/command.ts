// What every command is given, and how it refuses.
import type { Config } from "../config.ts";

export interface CommandContext {
  readonly config: Config;
  /** Writes a line for people, on stderr. */
  readonly say: (line: string) => void;
  /** Writes a result for programs, as one line of JSON on stdout. */
  readonly print: (result: unknown) => void;
  /** Writes a text for people as the command's result, on stdout. */
  readonly write: (text: string) => void;
  /** Writes a file as the command's result, on stdout, as it is. */
  readonly writeBytes: (bytes: Uint8Array) => void;
}

/** Gives a command its context, as late as it runs: help needs no valid configuration. */
export type OpenContext = () => CommandContext;

/** A mistake in how a command was called: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
