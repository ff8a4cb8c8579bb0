// The clock of the database: its readings, when an operator last accepted it, and the time of day that all processes share:
// the database's, as far as a process can know it.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { repeatable } from "./connection.ts";
import { execute, type Statement, sql, write } from "./statement.ts";

const selectTime = { sql: "SELECT NOW(3) AS time", names: [] };

export const statements = {
  read: sql`SELECT NOW(3) AS time, accepted_at, written_at FROM database_clock WHERE id = 1`,
  write: sql`UPDATE database_clock SET written_at = NOW(3) WHERE id = 1`,
  // Two within a millisecond still differ: a process recognises an acceptance by its time.
  accept: sql`UPDATE database_clock
    SET accepted_at = IF(NOW(3) <=> accepted_at, NOW(3) + INTERVAL 1000 MICROSECOND, NOW(3)) WHERE id = 1`,
};

/** Reads the clock on a connection that the caller holds. Rejects as the driver does. */
export async function readClock(connection: Connection, monotonic: MonotonicClock): Promise<ClockReading> {
  return (await readTime(connection, selectTime, monotonic)).reading;
}

export type DatabaseClockStore = ReturnType<typeof createDatabaseClockStore>;

export function createDatabaseClockStore(db: Knex) {
  return {
    /** @param monotonic the clock that times the query */
    readState(monotonic: MonotonicClock, signal: AbortSignal) {
      return repeatable(db, signal, async (connection) => {
        const { reading, row } = await readTime(connection, statements.read, monotonic);
        const { accepted_at: acceptedAt, written_at: writtenAt } = row;
        return { reading, acceptedAt: acceptedAt as Date | null, writtenAt: writtenAt as Date };
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

async function readTime(
  connection: Connection,
  statement: Statement,
  monotonic: MonotonicClock,
): Promise<{ reading: ClockReading; row: RowDataPacket }> {
  const askedAt = monotonic();
  const [row] = (await execute(connection, statement, {})) as RowDataPacket[];
  if (row === undefined) throw new Error("the database did not tell its time");
  return { reading: { time: row.time.getTime(), askedAt, answeredAt: monotonic() }, row };
}

/** A clock that differs or steps by more than this is not trusted. */
export const maxLeadMs = 5_000;

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
export function leastChange(before: ClockReading, after: ClockReading): number {
  const [leastBefore, mostBefore] = offsetsOf(before);
  const [least, most] = offsetsOf(after);
  return Math.max(0, least - mostBefore) + Math.min(0, most - leastBefore);
}

/** The least and greatest possible offset; a reading is rounded down to a millisecond. */
function offsetsOf({ time, askedAt, answeredAt }: ClockReading): readonly [number, number] {
  return [time - answeredAt, time + 1 - askedAt];
}
