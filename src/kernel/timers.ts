// Timers as an argument, so that tests control time.

/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000;

export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls the task once, after so many milliseconds. @returns a function that cancels it */
  after(ms: number, task: () => void): () => void;
}

export const systemTimers: Timers = {
  now: performance.now.bind(performance),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** The same, with tasks that do not keep the process running. */
export const backgroundTimers: Timers = {
  now: systemTimers.now,
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};
