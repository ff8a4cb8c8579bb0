// The clock of the database: what it says, and the last time at which an operator said that it is right.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import type { MonotonicClock } from "../kernel/environment.ts";
import type { ClockReading } from "../kernel/shared-clock.ts";
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
