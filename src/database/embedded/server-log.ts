// The log file of the server, and the end of it for error messages.
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

const tailLines = 10;

/** The log file, opened for one run of a program. */
export interface ServerLog {
  /** To be handed to the program as its output. */
  readonly fd: number;
  close(): void;
  /** The last lines that this run has written. */
  tail(): string;
}

/** Opens the log file for appending: what earlier runs wrote, a crash for example, stays. */
export function openServerLog(path: string): ServerLog {
  const fd = openSync(path, "a", 0o600);
  const begin = fstatSync(fd).size;
  return {
    fd,
    close: () => closeSync(fd),
    tail: () => {
      const written = readFileSync(path).subarray(begin).toString();
      return written.trim().split("\n").slice(-tailLines).join("\n");
    },
  };
}
