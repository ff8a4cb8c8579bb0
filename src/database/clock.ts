// The clock of the database: what it says, the last time at which an operator said that it is right, and the time of day
// that all processes share: the database's, as far as a process can know it.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { repeatable } from "./connection.ts";
import { execute, type Statement, sql, write } from "./statement.ts";

const selectTime = { sql: "SELECT NOW(3) AS time", names: [] };

export const statements = {
  read: sql`SELECT NOW(3) AS time, accepted_at, written_at FROM database_clock WHERE id = 1`,
  write: sql`UPDATE database_clock SET written_at = NOW(3) WHERE id = 1`,
  // Two words within a millisecond are two all the same: a process knows a word by its time.
  accept: sql`UPDATE database_clock
    SET accepted_at = IF(NOW(3) <=> accepted_at, NOW(3) + INTERVAL 1000 MICROSECOND, NOW(3)) WHERE id = 1`,
};

/** What the clock of the database says, on a connection that the caller holds. Rejects as the driver does. */
export async function readClock(connection: Connection, monotonic: MonotonicClock): Promise<ClockReading> {
  return (await readTime(connection, selectTime, monotonic)).reading;
}

export type DatabaseClockStore = ReturnType<typeof createDatabaseClockStore>;

export function createDatabaseClockStore(db: Knex) {
  return {
    /** @param monotonic the clock of the reading's other two times */
    readState(monotonic: MonotonicClock, signal: AbortSignal) {
      return repeatable(db, signal, async (connection) => {
        const { reading, row } = await readTime(connection, statements.read, monotonic);
        const { accepted_at: acceptedAt, written_at: writtenAt } = row;
        return { reading, acceptedAt: acceptedAt as Date | null, writtenAt: writtenAt as Date };
      });
    },

    /** Writes, which shows that the database takes writes. */
    async write(signal: AbortSignal): Promise<void> {
      await write(db, statements.write, {}, signal);
    },

    /** Has every process that doubts the clock for a step trust it. */
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
