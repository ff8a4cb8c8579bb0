// The runner of all background jobs in a process: each on its schedule, run after run, never two at a time.
import { once } from "node:events";
import { drawFraction, monotonic, type RandomBytes, type ReportDefect } from "../kernel/environment.ts";
import type { JobLeaseStore } from "../store/jobs/job-lease-store.ts";
import type { Job, JobRun } from "./job.ts";

export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls the task once, after so many milliseconds. @returns a function that cancels it */
  after(ms: number, task: () => void): () => void;
}

export const systemTimers: Timers = {
  now: monotonic,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

export interface JobRunnerDeps {
  readonly timers: Timers;
  /** Makes the jitter, and the id under which this process holds leases. */
  readonly random: RandomBytes;
  /** The leases of exclusive jobs. */
  readonly leases: JobLeaseStore;
  /** Called for every job that is started. */
  readonly observeStarted: (job: Job) => void;
  /** Called after every run, unless the runner was stopped meanwhile. */
  readonly observe: (run: JobRun) => void;
  /** Called with what `observe` throws. */
  readonly reportDefect: ReportDefect;
  /** Called for every job that was stopped, with its name. */
  readonly observeStopped: (job: string) => void;
}

/** A job that was started, and what it does now. */
interface JobState {
  readonly job: Job;
  cancelTimer: () => void;
  running: { readonly end: Promise<void>; readonly abortController: AbortController } | undefined;
  mayHoldLease: boolean;
}

/** Jitter of the interval, so that processes which started together do not run together. */
const jitterShare = 0.1;

export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #holder: Uint8Array;
  readonly #jobs: JobState[] = [];
  #isStopped = false;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#holder = Uint8Array.from(deps.random(16));
  }

  /** Runs a job at its interval, for the first time after one interval. */
  start(job: Job): void {
    if (this.#isStopped) throw new Error("the runner is stopped");
    const state: JobState = { job, cancelTimer: () => undefined, running: undefined, mayHoldLease: false };
    this.#jobs.push(state);
    this.#scheduleNext(state);
    this.#deps.observeStarted(job);
  }

  /**
   * Starts no further run, aborts the signals of the running ones, and waits for their end up to the given milliseconds. Then
   * the jobs are no longer monitored.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    const timeout = new AbortController();
    const cancel = this.#deps.timers.after(timeoutMs, () => timeout.abort());
    await Promise.all(this.#jobs.map((state) => this.#end(state, timeout.signal)));
    cancel();
    for (const { job } of this.#jobs) this.#deps.observeStopped(job.name);
  }

  async #end(state: JobState, timeout: AbortSignal): Promise<void> {
    state.cancelTimer();
    state.running?.abortController.abort();
    await Promise.race([state.running?.end, once(timeout, "abort")]);
    // A run that does not end keeps its lease until it expires: before that no other process may begin.
    if (state.running !== undefined || !state.mayHoldLease) return;
    // Without a database the lease expires by itself.
    await this.#deps.leases.releaseLease(state.job.name, this.#holder, timeout).catch(() => undefined);
  }

  #scheduleNext(state: JobState): void {
    const { timers, random } = this.#deps;
    const { intervalMs, mayRun = () => true } = state.job;
    const jitter = 1 + jitterShare * (2 * drawFraction(random) - 1);
    state.cancelTimer = timers.after(intervalMs * jitter, () => {
      this.#scheduleNext(state);
      if (state.running === undefined && mayRun()) this.#begin(state);
    });
  }

  #begin(state: JobState): void {
    const abortController = new AbortController();
    const end = this.#run(state, abortController)
      .catch((error: unknown) => this.#deps.reportDefect(error, "observing jobs"))
      .finally(() => {
        state.running = undefined;
      });
    state.running = { end, abortController };
  }

  async #run(state: JobState, abortController: AbortController): Promise<void> {
    const { timers, observe } = this.#deps;
    const { name, deadlineMs } = state.job;
    const { signal } = abortController;
    // The deadline starts before the lease is requested: the lease, which lasts longer, expires later.
    const startedAt = timers.now();
    const cancelDeadline = timers.after(deadlineMs, () => abortController.abort());
    const end = await this.#runWithLease(state, signal).then(
      (wasRun) => (wasRun ? ({ outcome: "ok" } as const) : undefined),
      (error: unknown) => ({ outcome: signal.aborted ? "deadline_exceeded" : "failed", error }) as const,
    );
    cancelDeadline();
    if (end === undefined || this.#isStopped) return;
    observe({ job: name, ...end, seconds: (timers.now() - startedAt) / 1000 });
  }

  /** Whether the job has run: an exclusive one does not, while another process has its lease. */
  async #runWithLease(state: JobState, signal: AbortSignal): Promise<boolean> {
    const { job } = state;
    if (job.isExclusive) {
      state.mayHoldLease = true;
      state.mayHoldLease = await this.#deps.leases.takeLease(job.name, this.#holder, computeLeaseMs(job), signal);
      if (!state.mayHoldLease) return false;
    }
    signal.throwIfAborted();
    await job.run(signal);
    return true;
  }
}

/** Longer than a run, so that two processes never run at once, and until the next run renews it, so that one process keeps it. */
function computeLeaseMs({ deadlineMs, intervalMs }: Job): number {
  return deadlineMs + 2 * intervalMs;
}
