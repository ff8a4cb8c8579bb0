// What the domain needs from the world around it, passed in so that tests decide.

/** Milliseconds since 1970 in UTC. */
export type Clock = () => number;

/**
 * The time as the system tells it, but never going back: where the system's clock is set back, this one goes on at its
 * own pace. So what is stored later is later, and nothing lives longer than it should.
 * @param elapsed milliseconds of a clock that never steps
 */
export function steadyClock(system: Clock, elapsed: () => number): Clock {
  let offset = Number.NEGATIVE_INFINITY;
  return () => {
    const sinceStart = elapsed();
    offset = Math.max(offset, system() - sinceStart);
    return Math.floor(offset + sinceStart);
  };
}

/** `length` random bytes that nobody can predict. */
export type RandomBytes = (length: number) => Uint8Array;

/** Told of an error that is the service's own fault and that no caller sees. */
export type ReportDefect = (error: unknown, what: string) => void;

/** How long a use case may go on: the signal aborts at that time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** By the clock. */
  readonly at: number;
}
