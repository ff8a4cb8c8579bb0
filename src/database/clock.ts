// The time of day that all processes share: the database's, as far as a process can know it.
import type { Knex } from "knex";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { fetchRows, sql } from "./statement.ts";

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
export async function readDatabaseClock(db: Knex, monotonic: MonotonicClock, signal: AbortSignal) {
  const askedAt = monotonic();
  const [row] = await fetchRows(db, statements.read, {}, signal);
  return { time: row?.time.getTime(), askedAt, answeredAt: monotonic() };
}

interface HostClocks {
  readonly system: Clock;
  readonly monotonic: MonotonicClock;
}

/**
 * A clock that follows the database's and runs by the monotonic clock between readings. Until both clocks agree for the first
 * time it is the host's; a reading that differs from the host's by too much changes nothing.
 */
export class SharedClock {
  readonly #host: HostClocks;
  /** The shared clock minus the monotonic one. */
  #offset: number | undefined;
  /** By how much the host's clock was ahead of the last reading at least; negative: behind. */
  #lead: number | undefined;

  constructor(host: HostClocks) {
    this.#host = host;
  }

  readonly now: Clock = () =>
    this.#offset === undefined ? this.#host.system() : Math.floor(this.#host.monotonic() + this.#offset);

  /** Why nothing may be removed for its age, with what to do; undefined: the clocks agreed at the last reading. */
  readonly fault = (): string | undefined => {
    if (this.#lead === undefined) return "The clock of the database was not read yet.";
    if (Math.abs(this.#lead) <= maxDifferenceMs) return undefined;
    const seconds = Math.round(Math.abs(this.#lead) / 1000);
    const direction = this.#lead > 0 ? "ahead of" : "behind";
    return `The clock of this host is ${seconds} s ${direction} the database's; synchronize both, with NTP for example.`;
  };

  /** Call it every few seconds, at once after the reading. A reading counts only as far as it proves a clock wrong. */
  follow({ time, askedAt, answeredAt }: ClockReading): void {
    // The time was rounded down to a millisecond.
    const [least, most] = [time - answeredAt, time + 1 - askedAt];
    const within = (offset: number) => Math.min(Math.max(offset, least), most);
    const hosts = this.#host.system() - this.#host.monotonic();
    this.#lead = hosts - within(hosts);
    if (this.fault() === undefined) this.#offset = within(this.#offset ?? (least + most) / 2);
  }
}
