// The time by which data is removed for good. It is the database's, and there is none while that is in doubt.
import type { ClockStep } from "./database-clock-port.ts";

declare const trusted: unique symbol;

/**
 * A time of the database's clock that was found right when it was read. What removes or ends something since its time is
 * over takes no other time.
 */
export type TrustedTime = Date & { readonly [trusted]: true };

export interface TrustedClock {
  /** Reads the database's clock anew. Throws `ClockDoubted` while it is in doubt, and as the store does. */
  read(signal: AbortSignal): Promise<TrustedTime>;
}

/**
 * Why the database's clock is in doubt.
 * - `stepped`: it stepped, and no operator has said yet that it is right.
 * - `unseen`: nobody has looked at it for a while, so a step would not be known. It passes by itself.
 * - `disagrees`: it differs from the clock of this host.
 */
export type ClockDoubt =
  | ({ readonly reason: "stepped" } & ClockStep)
  | { readonly reason: "unseen"; readonly since: Date }
  | { readonly reason: "disagrees" /** Of this host's clock; negative: it is behind. */; readonly leadMs: number };

/** Thrown by whoever would remove something by a clock that is in doubt. */
export class ClockDoubted extends Error {
  override readonly name = "ClockDoubted";
  readonly doubt: ClockDoubt;

  constructor(doubt: ClockDoubt) {
    super(describeDoubt(doubt));
    this.doubt = doubt;
  }
}

/** A doubt in words for operators, with what to do. */
export function describeDoubt(doubt: ClockDoubt): string {
  switch (doubt.reason) {
    case "stepped":
      return (
        `The clock of the database stepped from ${doubt.from.toISOString()} to ${doubt.to.toISOString()}. ` +
        "Nothing is removed until an operator says that it is right: pas clock accept"
      );
    case "unseen":
      return (
        `Nobody has looked at the clock of the database since ${doubt.since.toISOString()}. ` +
        "Nothing is removed for ten minutes, or until an operator says that it is right: pas clock accept"
      );
    case "disagrees": {
      const seconds = Math.round(Math.abs(doubt.leadMs) / 1000);
      const direction = doubt.leadMs > 0 ? "ahead of" : "behind";
      return `The clock of this host is ${seconds} s ${direction} the database's. Nothing is removed until they agree.`;
    }
  }
}

/** A trusted time that was so many milliseconds earlier. */
export function earlierBy(time: TrustedTime, ms: number): TrustedTime {
  return new Date(time.getTime() - ms) as TrustedTime;
}

/** The time, or null while it is in doubt. Throws as the store does. */
export async function readIfTrusted(clock: TrustedClock, signal: AbortSignal): Promise<TrustedTime | null> {
  try {
    return await clock.read(signal);
  } catch (error) {
    if (error instanceof ClockDoubted) return null;
    throw error;
  }
}
