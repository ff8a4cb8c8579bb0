// What a run of Stryker found, read from its report.
import { readFileSync } from "node:fs";

/** The part of the report that is read: https://github.com/stryker-mutator/mutation-testing-elements */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: string;
          readonly location: { readonly start: { readonly line: number } };
        }[];
      }
    >
  >;
}

export interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly mutator: string;
  readonly replacement: string;
}

export interface Score {
  /** Mutants that a test noticed, by failing or by never ending. */
  readonly noticed: number;
  /** Mutants that no test noticed, though some ran them. */
  readonly survived: number;
  /** Mutants in code that no test of the folder runs. */
  readonly uncovered: number;
}

/** Reads a report. Throws if it is not there. */
export function readReport(path: string): { readonly score: Score; readonly survivors: readonly Survivor[] } {
  const { files } = JSON.parse(readFileSync(path, "utf8")) as Report;
  const found = Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split("\n");
    return mutants.map(({ status, mutatorName: mutator, replacement = "", location: { start } }) => {
      return { status, file, line: start.line, text: lines[start.line - 1]?.trim() ?? "", mutator, replacement };
    });
  });
  const count = (...statuses: string[]) => found.filter(({ status }) => statuses.includes(status)).length;
  const score = {
    noticed: count("Killed", "Timeout"),
    survived: count("Survived"),
    uncovered: count("NoCoverage"),
  };
  return { score, survivors: found.filter(({ status }) => status === "Survived") };
}

/** Per cent of the mutants that tests ran; null if they ran none. */
export function percentOf({ noticed, survived }: Score): number | null {
  const run = noticed + survived;
  return run === 0 ? null : (100 * noticed) / run;
}
