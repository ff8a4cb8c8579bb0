// The time of day that all processes share: the database's, as far as a process can know it.
import type { Clock, MonotonicClock } from "./environment.ts";

/** Clocks that differ by more than this are not to be trusted with anything, nor is one that steps by more. */
export const maxLeadMs = 5_000;

/** What another clock said, somewhere between two moments of the monotonic clock. */
export interface ClockReading {
  /** Whole milliseconds since 1970 in UTC. */
  readonly time: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * A clock that follows readings of another one, and goes on by the monotonic clock between them. A reading corrects it
 * only as far as the reading proves it wrong, so slow answers do not make it step. Until the first reading it is the
 * system's clock.
 */
export class SharedClock {
  readonly #system: Clock;
  readonly #monotonic: MonotonicClock;
  /** Of the other clock from the monotonic one. */
  #offset: number | undefined;

  constructor(system: Clock, monotonic: MonotonicClock) {
    this.#system = system;
    this.#monotonic = monotonic;
  }

  readonly now: Clock = () =>
    this.#offset === undefined ? this.#system() : Math.floor(this.#monotonic() + this.#offset);

  follow(reading: ClockReading): void {
    const [least, most] = offsetsOf(reading);
    const offset = this.#offset ?? (least + most) / 2;
    this.#offset = Math.min(Math.max(offset, least), most);
  }
}

/**
 * By how many milliseconds at least the system's clock is ahead of the one that was read; negative: it is behind.
 * @param system the system's clock, when the reading was answered
 */
export function leastLead(reading: ClockReading, system: number): number {
  return leastChange(reading, { ...reading, time: system, askedAt: reading.answeredAt });
}

/** By how many milliseconds at least the clock that was read changed beyond the time that passed; negative: back. */
export function leastChange(before: ClockReading, after: ClockReading): number {
  const [leastBefore, mostBefore] = offsetsOf(before);
  const [least, most] = offsetsOf(after);
  return Math.max(0, least - mostBefore) + Math.min(0, most - leastBefore);
}

/** The least and the greatest offset that the reading leaves possible; its time may be up to a millisecond more. */
function offsetsOf({ time, askedAt, answeredAt }: ClockReading): readonly [number, number] {
  return [time - answeredAt, time + 1 - askedAt];
}
