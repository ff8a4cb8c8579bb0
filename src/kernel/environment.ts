// The environment of the domain as arguments, so that tests control it.

/** Milliseconds since 1970 in UTC. A time of day may step: use a monotonic clock to measure how long something takes. */
export type Clock = () => number;

/** Milliseconds since an unspecified moment. Never steps; only differences have a meaning. */
export type MonotonicClock = () => number;

/** The monotonic clock of this process. */
export const monotonic: MonotonicClock = performance.now.bind(performance);

/** `length` unpredictable random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** A number from 0 up to 1. */
export function drawFraction(random: RandomBytes): number {
  return (random(1)[0] ?? 0) / 256;
}

/** Receives an error that is the service's own fault and that no caller sees. */
export type ReportDefect = (error: unknown, source: string) => void;

/** The deadline of a use case: the signal aborts at that time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** By the monotonic clock. */
  readonly endsAt: number;
}

/** Milliseconds of a minute, an hour and a day. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
