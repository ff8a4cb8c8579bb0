// The log file of the server, and its last lines for error messages.
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

const tailLines = 10;

/** The log file, opened for one run of a program. */
export interface ServerLog {
  /** The output of the program. */
  readonly fd: number;
  close(): void;
  /** The last lines of this run. */
  tail(): string;
}

/** Opens the log file for appending: earlier runs, a crash for example, stay in it. */
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
