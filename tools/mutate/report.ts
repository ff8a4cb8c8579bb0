// What a run of Stryker found, read from its report.
import { readFileSync } from "node:fs";

/** Both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

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
          readonly location: { readonly start: Place; readonly end: Place };
        }[];
      }
    >
  >;
}

export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line, without the spaces around it. */
  readonly text: string;
  /** What of the line, and of further ones, is replaced. */
  readonly replaced: string;
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
    return mutants.map(({ status, mutatorName: mutator, replacement = "", location: { start, end } }) => {
      const [text, replaced] = [lines[start.line - 1]?.trim() ?? "", textBetween(lines, start, end)];
      return { status, file, line: start.line, text, replaced, mutator, replacement };
    });
  });
  const count = (...statuses: string[]) => found.filter(({ status }) => statuses.includes(status)).length;
  const survivors = found.filter(({ status }) => status === "Survived");
  const score = {
    noticed: count("Killed", "Timeout"),
    survived: survivors.length,
    uncovered: count("NoCoverage"),
  };
  return { score, survivors };
}

function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const whole = lines.slice(start.line - 1, end.line);
  const last = whole.pop()?.slice(0, end.column - 1) ?? "";
  return [...whole, last].join("\n").slice(start.column - 1);
}

/** Per cent of the mutants that tests ran; null if they ran none. */
export function percentOf({ noticed, survived }: Score): number | null {
  const run = noticed + survived;
  return run === 0 ? null : (100 * noticed) / run;
}
