// A suite is a part of the tests that runs by itself: test/suites.ts lists them, test/run.ts runs them.
import type { Extent } from "../../short-runs.ts";

/** What was found or started for a suite. */
export interface Prepared {
  /** Variables that its tests read. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What this machine lacks, a line each: the rest of the suite runs without it. */
  readonly missing?: readonly string[];
  /** Ends what was started, and prints what there is to say. */
  readonly finish?: () => Promise<void>;
}

export interface Suite {
  readonly name: string;
  /** What it shows, in a line. */
  readonly shows: string;
  /** Projects of the vitest configuration; all of them unless given. */
  readonly projects?: readonly string[];
  /** That of the repository unless given. */
  readonly config?: string;
  /** Left out of a short run: another suite has some of it. */
  readonly isFullOnly?: boolean;
  /** @throws Error where the suite cannot run on this machine, with the reason */
  readonly prepare?: (extent: Extent) => Promise<Prepared>;
}

/** The words of an error in one line of 300 characters at most. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason
    .trim()
    .replaceAll(/\s*\n\s*/g, " | ")
    .slice(0, 300);
}
