// The time by which data is removed for good. It is the database's, and there is none while that is in doubt.

declare const trusted: unique symbol;

/** A time that nothing doubted. What removes or ends something since its time is over takes no other time. */
export type TrustedTime = Date & { readonly [trusted]: true };

export interface TrustedClock {
  /** The time, as the database's clock went on since it was read last. Throws `ClockDoubted` while that is in doubt. */
  now(): TrustedTime;
}

/** Thrown by whoever would remove something by a clock that is in doubt. Its message says why, and what to do. */
export class ClockDoubted extends Error {
  override readonly name = "ClockDoubted";
}

/** A trusted time that was so many milliseconds earlier. */
export function earlierBy(time: TrustedTime, ms: number): TrustedTime {
  return new Date(time.getTime() - ms) as TrustedTime;
}

/** The time, or null while it is in doubt. */
export function timeIfTrusted(clock: TrustedClock): TrustedTime | null {
  try {
    return clock.now();
  } catch (error) {
    if (error instanceof ClockDoubted) return null;
    throw error;
  }
}
