// The clock of the database: its readings, when an operator last accepted it, and the time of day that all processes share:
// the database's, as far as a process can know it.
import type { Knex } from "knex";
import { ClockDoubted, type TrustedClock, type TrustedTime } from "../domain/trusted-clock.ts";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { repeatable } from "./connection.ts";
import { readRows, sql, write } from "./statement.ts";

export const statements = {
  read: sql`SELECT NOW(3) AS time, accepted_at, written_at FROM database_clock WHERE id = 1`,
  write: sql`UPDATE database_clock SET written_at = NOW(3) WHERE id = 1`,
  // Two within a millisecond still differ: a process recognises an acceptance by its time.
  accept: sql`UPDATE database_clock
    SET accepted_at = IF(NOW(3) <=> accepted_at, NOW(3) + INTERVAL 1000 MICROSECOND, NOW(3)) WHERE id = 1`,
};

export type DatabaseClockStore = ReturnType<typeof createDatabaseClockStore>;

export function createDatabaseClockStore(db: Knex) {
  return {
    /** @param monotonic the clock that times the query */
    readState(monotonic: MonotonicClock, signal: AbortSignal) {
      return repeatable(db, signal, async (connection) => {
        const askedAt = monotonic();
        const [row] = await readRows(connection, statements.read, {});
        if (row === undefined) throw new Error("the database did not tell its time");
        const reading: ClockReading = { time: row.time.getTime(), askedAt, answeredAt: monotonic() };
        return { reading, acceptedAt: row.accepted_at as Date | null, writtenAt: row.written_at as Date };
      });
    },

    /** A write, to check that the database takes writes. */
    async write(signal: AbortSignal): Promise<void> {
      await write(db, statements.write, {}, signal);
    },

    /** Makes every process that doubts the clock because of a step trust it. */
    async accept(signal: AbortSignal): Promise<void> {
      await write(db, statements.accept, {}, signal);
    },
  };
}

/** A clock that differs or steps by more than this is not trusted. */
const maxLeadMs = 5_000;

/** A reading of another clock, between two moments of the monotonic clock. */
export interface ClockReading {
  /** Whole milliseconds since 1970 in UTC. */
  readonly time: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * A clock that follows readings of another one, and runs by the monotonic clock between them. A reading corrects it only as
 * far as it proves the clock wrong, so slow responses do not make it step. Until the first reading it is the system's
 * clock.
 */
export class SharedClock {
  readonly #system: Clock;
  readonly #monotonic: MonotonicClock;
  /** The other clock minus the monotonic one. */
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
 * The least number of milliseconds by which the system's clock is ahead of the other one; negative: it is behind.
 * @param system the system's clock when the reading was answered
 */
export function leastLead(reading: ClockReading, system: number): number {
  return leastChange(reading, { ...reading, time: system, askedAt: reading.answeredAt });
}

/** The least number of milliseconds by which the other clock stepped between two readings; negative: back. */
function leastChange(before: ClockReading, after: ClockReading): number {
  const [leastBefore, mostBefore] = offsetsOf(before);
  const [least, most] = offsetsOf(after);
  return Math.max(0, least - mostBefore) + Math.min(0, most - leastBefore);
}

/** The least and greatest possible offset; a reading is rounded down to a millisecond. */
function offsetsOf({ time, askedAt, answeredAt }: ClockReading): readonly [number, number] {
  return [time - answeredAt, time + 1 - askedAt];
}

/** What is wrong with this host's clock, if anything. @param leadMs by how much it is ahead at least */
export function clockFault(leadMs: number): string | undefined {
  if (Math.abs(leadMs) <= maxLeadMs) return undefined;
  const seconds = Math.round(Math.abs(leadMs) / 1000);
  const direction = leadMs > 0 ? "ahead of" : "behind";
  return `The clock of this host is ${seconds} s ${direction} the database's; synchronize both, with NTP for example.`;
}

const writeIntervalMs = 30_000;

/**
 * Why the database's clock is in doubt: it `stepped` while this process watched, and no operator has accepted that yet; or
 * it `disagrees` with the clock of this host.
 */
export interface ClockDoubt {
  readonly reason: "stepped" | "disagrees";
  /** For operators. */
  readonly words: string;
}

export interface GuardClocks {
  readonly system: Clock;
  readonly monotonic: MonotonicClock;
  /** Milliseconds of a clock that never steps, and runs while the machine sleeps. */
  readonly uptime: MonotonicClock;
}

export interface ClockGuardDeps {
  readonly databaseClock: DatabaseClockStore;
  readonly clocks: GuardClocks;
  /** Called after every reading. */
  readonly observe: (doubt: ClockDoubt | undefined) => void;
}

/** Checks the clock before anything is deleted by it. It remembers only what this process has seen. */
export class ClockGuard implements TrustedClock {
  readonly #deps: ClockGuardDeps;
  /** The time of day that all processes share. */
  readonly clock: Clock;
  /** The last reading, by the uptime. */
  #last: ClockReading | undefined;
  /** When an operator last accepted the clock, as of the last reading. */
  #acceptedAt: Date | null = null;
  /** The step that nobody has accepted, in words. */
  #step: string | undefined;
  #doubt: string | undefined = "The clock of the database was not read yet.";
  /** Whether both clocks agreed once: from then on the database's clock is trusted unless it steps. */
  #hasAgreed = false;

  /** Follows the readings that are not in doubt. */
  readonly #shared: SharedClock;

  constructor(deps: ClockGuardDeps) {
    this.#deps = deps;
    this.#shared = new SharedClock(deps.clocks.system, deps.clocks.monotonic);
    this.clock = this.#shared.now;
  }

  /** Whether nothing was in doubt at the last reading. */
  readonly isTrusted = (): boolean => this.#doubt === undefined;

  now(): TrustedTime {
    if (this.#doubt !== undefined) throw new ClockDoubted(`${this.#doubt} Nothing is removed until then.`);
    return new Date(this.clock()) as TrustedTime;
  }

  /**
   * Reads the clock; call it every few seconds. Throws as the store does, also if the database accepts no writes.
   * @returns what is wrong with the clock of this host, if anything
   */
  async refresh(signal: AbortSignal): Promise<string | undefined> {
    const { databaseClock, clocks, observe } = this.#deps;
    const askedAt = clocks.uptime();
    const { reading, acceptedAt, writtenAt } = await databaseClock.readState(clocks.monotonic, signal);
    this.#noteStep({ time: reading.time, askedAt, answeredAt: clocks.uptime() }, acceptedAt);
    const difference = clockFault(leastLead(reading, clocks.system()));
    const words = this.#step ?? difference;
    this.#doubt = words;
    this.#hasAgreed ||= words === undefined;
    if (this.#step === undefined && this.#hasAgreed) this.#shared.follow(reading);
    observe(words === undefined ? undefined : { reason: this.#step === undefined ? "disagrees" : "stepped", words });
    const sinceWritten = reading.time - writtenAt.getTime();
    if (sinceWritten < 0 || sinceWritten >= writeIntervalMs) await databaseClock.write(signal);
    return difference;
  }

  #noteStep(reading: ClockReading, acceptedAt: Date | null): void {
    const change = this.#last === undefined ? 0 : leastChange(this.#last, reading);
    if (Math.abs(change) > maxLeadMs) {
      const [from, to] = [reading.time - change, reading.time].map((time) => new Date(time).toISOString());
      this.#step = `The clock of the database stepped from ${from} to ${to}. If it is right now, say so: pas clock accept.`;
    }
    // An operator may accept the clock before this process sees the step.
    if (acceptedAt?.getTime() !== this.#acceptedAt?.getTime()) this.#step = undefined;
    this.#last = reading;
    this.#acceptedAt = acceptedAt;
  }
}
