// The time by which data is deleted: the database's clock, unless that is in doubt.

declare const trusted: unique symbol;

/** A time that is not in doubt. Code that removes or ends something because its time is over accepts no other time. */
export type TrustedTime = Date & { readonly [trusted]: true };

export interface TrustedClock {
  /** The database's time, extrapolated since it was last read. Throws `ClockDoubted` while it is in doubt. */
  now(): TrustedTime;
}

/** Thrown instead of removing something by a clock that is in doubt. Its message states the reason, and what to do. */
export class ClockDoubted extends Error {
  override readonly name = "ClockDoubted";
}

/** A trusted time that is the given number of milliseconds earlier. */
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
