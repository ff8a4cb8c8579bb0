// The passing of time, as an argument: tests decide when it is.

/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000;

export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls the task once, after so many milliseconds. @returns what cancels that */
  after(ms: number, task: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** The same, whose tasks keep no process from ending. */
export const backgroundTimers: Timers = {
  now: systemTimers.now,
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};
