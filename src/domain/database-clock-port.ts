// The part of the Store port that tells the database's time, and keeps how far it was found right.
import type { MonotonicClock } from "../kernel/environment.ts";
import type { ClockReading } from "../kernel/shared-clock.ts";

/** A change of the database's clock that the passing of time does not explain. */
export interface ClockStep {
  /** What it should have said, or the last time at which it was found right. */
  readonly from: Date;
  /** What it said. */
  readonly to: Date;
}

export interface DatabaseClockState {
  readonly reading: ClockReading;
  /** The last time, by the database's clock, at which that was found right; null: nobody has looked yet. */
  readonly acceptedAt: Date | null;
  /** The step that an operator has to look at; null: there is none. */
  readonly step: ClockStep | null;
}

/** What all processes know of the database's clock. */
export interface DatabaseClockStore {
  /** @param monotonic the clock of the reading's other two times */
  readState(monotonic: MonotonicClock, signal: AbortSignal): Promise<DatabaseClockState>;
  /** Moves the accepted time on, unless there is a step or another process moved it. @returns whether it did */
  saveAccepted(acceptedAt: Date, before: Date | null, signal: AbortSignal): Promise<boolean>;
  /** Notes a step, unless there is one or another process moved the accepted time. @returns whether it did */
  saveStep(step: ClockStep, before: Date | null, signal: AbortSignal): Promise<boolean>;
  /** Accepts what the database's clock says now, and forgets the step. */
  acceptNow(signal: AbortSignal): Promise<void>;
}
