// A background job, and the reports of its runs.

export interface Job {
  /** Lower case with dashes, at most 64 characters; a label of metrics and the key of the job's lease. */
  readonly name: string;
  /** Interval between runs, give or take a tenth. A run that is due while the previous one is still running is skipped. */
  readonly intervalMs: number;
  /** After this time the signal of a run aborts. */
  readonly deadlineMs: number;
  /**
   * Whether only one of the processes that share the database runs it at a time. A process that was frozen may send or finish
   * one statement late, so each statement of such a job must be safe to run twice.
   */
  readonly isExclusive?: boolean;
  /** Whether it may run now; by default always. */
  readonly mayRun?: () => boolean;
  /** One run. It must end soon after its signal aborts; then the next can start. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** The end of a run: it did its work; it threw an error; it threw one after its deadline had passed. */
export const jobOutcomes = ["ok", "failed", "deadline_exceeded"] as const;

export interface JobRun {
  readonly job: string;
  readonly outcome: (typeof jobOutcomes)[number];
  readonly seconds: number;
  /** The error that it threw. */
  readonly error?: unknown;
}
