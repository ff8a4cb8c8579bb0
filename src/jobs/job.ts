// What a background job is, and what is reported of its runs.

export interface Job {
  /** Lower case with dashes, at most 64 characters; a label of metrics and the key of the job's lease. */
  readonly name: string;
  /** Interval between runs, give or take a tenth. A run that is due while the previous one is still running is skipped. */
  readonly intervalMs: number;
  /** After this time the signal of a run aborts. */
  readonly deadlineMs: number;
  /**
   * Whether only one of the processes that share the database runs it at a time. A process that was frozen in the middle of a
   * statement may finish that statement late, so each statement of such a job must be safe to run twice.
   */
  readonly isExclusive?: boolean;
  /** One run. Throws `JobSkipped` if it must not happen now. It must end soon after its signal aborts; then the next can start. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * How a run ended.
 * - `ok`: it did its work.
 * - `failed`: it threw an error.
 * - `deadline_exceeded`: its deadline passed; it may still be ending.
 * - `stopped`: the process stops.
 * - `skipped`: it did not begin, for a reason that its error states.
 */
export type JobOutcome = (typeof jobOutcomes)[number];
export const jobOutcomes = ["ok", "failed", "skipped", "deadline_exceeded", "stopped"] as const;

export interface JobRun {
  readonly job: string;
  readonly outcome: JobOutcome;
  readonly seconds: number;
  /** Milliseconds since 1970 in UTC. */
  readonly endedAt: number;
  /** What a failed or skipped run threw. */
  readonly error?: unknown;
}

/** Thrown by a run that must not happen now. Its message states why, and what to do. */
export class JobSkipped extends Error {
  override readonly name = "JobSkipped";
}

/** The reason with which the signal of a run aborts. */
export class JobInterrupted extends Error {
  override readonly name = "JobInterrupted";
  readonly outcome: JobOutcome;

  constructor(outcome: "deadline_exceeded" | "stopped") {
    super(`the run was interrupted: ${outcome}`);
    this.outcome = outcome;
  }
}
