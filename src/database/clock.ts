// The time of day that all processes share: the database's, as a process can read it.
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import type { Database } from "./database.ts";
import { sql } from "./statement.ts";

export const statements = { read: sql`SELECT NOW(3) AS time` };

/** Nothing is removed while the clocks of host and database differ by more. */
const maxDifferenceMs = 5_000;

/** A reading of the database's clock, between two moments of the monotonic clock. */
export interface ClockReading {
  /** Whole milliseconds since 1970 in UTC. */
  readonly time: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Throws `unavailable`. */
export async function readDatabaseClock(db: Database, monotonic: MonotonicClock, signal: AbortSignal) {
  const askedAt = monotonic();
  const [row] = await db.findAll(statements.read, {}, signal);
  return { time: row?.time.getTime(), askedAt, answeredAt: monotonic() };
}

interface HostClocks {
  readonly system: Clock;
  readonly monotonic: MonotonicClock;
}

/**
 * A clock that follows the database's, and runs by the monotonic clock between readings. It is the host's until both agree for
 * the first time, and ignores readings that differ too much from the host's.
 */
export class SharedClock {
  readonly #host: HostClocks;
  /** The shared clock minus the monotonic one. */
  #offsetMs: number | undefined;
  /** By how much the host's clock was ahead of the last reading at least; negative: behind. */
  #aheadMs: number | undefined;

  constructor(host: HostClocks) {
    this.#host = host;
  }

  readonly now: Clock = () =>
    this.#offsetMs === undefined ? this.#host.system() : Math.floor(this.#host.monotonic() + this.#offsetMs);

  /** The reason why nothing may be removed for its age, with what to do; undefined: the clocks agreed at the last reading. */
  readonly describeFault = (): string | undefined => {
    if (this.#aheadMs === undefined) return "The clock of the database was not read yet.";
    if (Math.abs(this.#aheadMs) <= maxDifferenceMs) return undefined;
    const seconds = Math.round(Math.abs(this.#aheadMs) / 1000);
    const direction = this.#aheadMs > 0 ? "ahead of" : "behind";
    return `The clock of this host is ${seconds} s ${direction} the database's; synchronize both, with NTP for example.`;
  };

  /** Call it every few seconds, at once after the reading. A reading counts only as far as it proves a clock wrong. */
  addReading({ time, askedAt, answeredAt }: ClockReading): void {
    // The time was rounded down to a millisecond.
    const [minOffset, maxOffset] = [time - answeredAt, time + 1 - askedAt];
    const clamp = (offset: number) => Math.min(Math.max(offset, minOffset), maxOffset);
    const hostOffset = this.#host.system() - this.#host.monotonic();
    this.#aheadMs = hostOffset - clamp(hostOffset);
    if (this.describeFault() === undefined) this.#offsetMs = clamp(this.#offsetMs ?? (minOffset + maxOffset) / 2);
  }
}
