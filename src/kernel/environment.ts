// What the domain needs from the world around it, passed in so that tests decide.

/** Milliseconds since 1970 in UTC. A time of day may step: use a monotonic clock to measure how long something takes. */
export type Clock = () => number;

/** Milliseconds since some moment. Never steps, so only differences mean something. */
export type MonotonicClock = () => number;

/** `length` random bytes that nobody can predict. */
export type RandomBytes = (length: number) => Uint8Array;

/** Notified of an error that is the service's own fault and that no caller sees. */
export type ReportDefect = (error: unknown, what: string) => void;

/** Does work that takes a processor for a while, and records how long if somebody wants to know. */
export type Measured = <T>(name: string, work: () => T) => T;

/** How much a background job lists, changes or removes at a time. */
export interface Paging {
  /** Undefined: as much as suits the job. */
  readonly mostAtOnce?: number | undefined;
}

/** How long a use case may go on: the signal aborts at that time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** By the monotonic clock. */
  readonly at: number;
}
