// The runner of all background jobs in a process: each on its schedule, run after run, never two at a time.
import type { Clock, RandomBytes, Timers } from "../kernel/environment.ts";
import type { JobLeaseStore } from "../store/jobs/job-lease-store.ts";
import { type Job, JobInterrupted, type JobRun, JobSkipped } from "./job.ts";

export interface JobRunnerDeps extends Omit<ScheduleDeps, "random"> {
  /** Makes the jitter, and the id under which this process holds leases. */
  readonly random: RandomBytes;
  /** The leases of exclusive jobs. */
  readonly leases: JobLeaseStore;
  /** Called for every job that is started. */
  readonly observeStarted?: (job: Job) => void;
  /** Called for every job that was stopped, with its name. */
  readonly observeStopped?: (job: string) => void;
}

export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #holder: Uint8Array;
  readonly #jobs = new Map<string, ScheduledJob>();
  #isStopped = false;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#holder = Uint8Array.from(deps.random(16));
  }

  /** Runs a job at its interval, for the first time after one interval. Throws if its name is taken. */
  start(job: Job): void {
    if (this.#isStopped) throw new Error("the runner is stopped");
    if (this.#jobs.has(job.name)) throw new Error(`there is a job ${job.name} already`);
    const { random, leases, observeStarted, ...deps } = this.#deps;
    const access = job.isExclusive ? { store: leases, holder: this.#holder } : undefined;
    const fraction = () => (random(1)[0] ?? 0) / 256;
    this.#jobs.set(job.name, new ScheduledJob(job, { ...deps, random: fraction }, access));
    observeStarted?.(job);
  }

  /**
   * Starts no further run, aborts the signals of the running ones, and waits for their end up to the given milliseconds. Then
   * the jobs are no longer monitored.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    const timeout = new AbortController();
    const cancel = this.#deps.timers.after(timeoutMs, () => timeout.abort());
    await Promise.all([...this.#jobs.values()].map((job) => job.stop(timeout.signal)));
    cancel();
    for (const name of this.#jobs.keys()) this.#deps.observeStopped?.(name);
  }
}

/** Jitter of the interval, so that processes which started together do not run together. */
const jitterShare = 0.1;

export interface ScheduleDeps {
  readonly timers: Timers;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Called after every run that has ended or was interrupted. */
  readonly observe: (run: JobRun) => void;
}

/** The lease store of exclusive jobs, and the holder's id. */
export interface LeaseAccess {
  readonly store: JobLeaseStore;
  readonly holder: Uint8Array;
}

export class ScheduledJob {
  readonly #job: Job;
  readonly #deps: ScheduleDeps;
  readonly #leases: LeaseAccess | undefined;
  #cancelNext: () => void = () => undefined;
  #running: { readonly ended: Promise<void>; readonly interruption: AbortController } | undefined;
  #mayHoldLease = false;

  /** @param leases undefined: every process runs the job */
  constructor(job: Job, deps: ScheduleDeps, leases: LeaseAccess | undefined) {
    this.#job = job;
    this.#deps = deps;
    this.#leases = leases;
    this.#scheduleNext();
  }

  /** Starts no further run, interrupts the running one and waits for its end, and releases the lease. */
  async stop(timeout: AbortSignal): Promise<void> {
    this.#cancelNext();
    const running = this.#running;
    running?.interruption.abort(new JobInterrupted("stopped"));
    await Promise.race([running?.ended, untilAborted(timeout)]);
    // A run that does not end keeps its lease until it expires: before that no other process may begin.
    if (this.#running !== undefined || !this.#mayHoldLease || this.#leases === undefined) return;
    const { store, holder } = this.#leases;
    // Without a database the lease expires by itself.
    await store.releaseLease(this.#job.name, holder, timeout).catch(() => undefined);
  }

  #scheduleNext(): void {
    const { timers, random } = this.#deps;
    const jitter = 1 + jitterShare * (2 * random() - 1);
    this.#cancelNext = timers.after(this.#job.intervalMs * jitter, () => {
      this.#scheduleNext();
      if (this.#running === undefined) this.#begin();
    });
  }

  #begin(): void {
    const interruption = new AbortController();
    const runEnd = this.#run(interruption).finally(() => {
      this.#running = undefined;
    });
    this.#running = { ended: runEnd, interruption };
  }

  async #run(interruption: AbortController): Promise<void> {
    const { timers, clock, observe } = this.#deps;
    const { name, deadlineMs } = this.#job;
    const { signal } = interruption;
    // The deadline starts before the lease is requested: the lease, which lasts longer, expires later.
    const startedAt = timers.now();
    const cancelDeadline = timers.after(deadlineMs, () => interruption.abort(new JobInterrupted("deadline_exceeded")));
    const interruptedRun = untilAborted(signal).then((reason) => ({ outcome: (reason as JobInterrupted).outcome }));
    const runEnd = this.#runWithLease(interruption, startedAt).then(
      (hasRun) => (hasRun ? ({ outcome: "ok" } as const) : undefined),
      (error: unknown) => ({ outcome: error instanceof JobSkipped ? "skipped" : "failed", error }) as const,
    );
    // A run that does not end at its deadline is reported at once: it may never end.
    const end = await Promise.race([runEnd, interruptedRun]);
    cancelDeadline();
    if (end !== undefined) observe({ job: name, ...end, seconds: (timers.now() - startedAt) / 1000, endedAt: clock() });
    await runEnd;
  }

  /** Whether the job has run: an exclusive one does not, while another process has its lease. */
  async #runWithLease(interruption: AbortController, startedAt: number): Promise<boolean> {
    const { signal } = interruption;
    if (this.#leases !== undefined) {
      const { store, holder } = this.#leases;
      this.#mayHoldLease = true;
      const hasLease = await store.takeLease(this.#job.name, holder, leaseMs(this.#job), signal);
      this.#mayHoldLease = hasLease;
      if (!hasLease) return false;
      // A process that was frozen gets the response before its timers: another process may have the lease by now.
      const isLate = this.#deps.timers.now() - startedAt >= this.#job.deadlineMs;
      if (isLate) interruption.abort(new JobInterrupted("deadline_exceeded"));
    }
    signal.throwIfAborted();
    await this.#job.run(signal);
    return true;
  }
}

/** Longer than a run may last, so that two processes never run; and until the next run's renewal, so that one process keeps it. */
function leaseMs({ deadlineMs, intervalMs }: Job): number {
  return deadlineMs + 2 * intervalMs;
}

/** Resolves with the reason when the signal aborts. */
function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}
