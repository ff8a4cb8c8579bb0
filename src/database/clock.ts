// The clock of the database, and what is kept of how far it was found right.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import type { DatabaseClockStore } from "../domain/database-clock-port.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import type { ClockReading } from "../kernel/shared-clock.ts";
import { repeatable } from "./connection.ts";
import { execute, type Statement, sql, write } from "./statement.ts";

const selectTime = { sql: "SELECT NOW(3) AS time", names: [] };

/** What the clock of the database says, on a connection that the caller holds. Rejects as the driver does. */
export async function readClock(connection: Connection, monotonic: MonotonicClock): Promise<ClockReading> {
  return (await readTime(connection, selectTime, monotonic)).reading;
}

const unmoved = "WHERE id = 1 AND stepped_to IS NULL AND accepted_at <=> :before";
export const statements = {
  read: sql`SELECT NOW(3) AS time, accepted_at, stepped_from, stepped_to FROM database_clock WHERE id = 1`,
  accept: sql`UPDATE database_clock SET accepted_at = :acceptedAt ${unmoved}`,
  step: sql`UPDATE database_clock SET stepped_from = :from, stepped_to = :to ${unmoved}`,
  acceptNow: sql`UPDATE database_clock SET accepted_at = NOW(3), stepped_from = NULL, stepped_to = NULL WHERE id = 1`,
};

/** The part of the Store port that tells the database's time. */
export function createDatabaseClockStore(db: Knex): DatabaseClockStore {
  return {
    readState(monotonic, signal) {
      return repeatable(db, signal, async (connection) => {
        const { reading, row } = await readTime(connection, statements.read, monotonic);
        const { accepted_at: acceptedAt, stepped_from: from, stepped_to: to } = row;
        return { reading, acceptedAt, step: to === null ? null : { from, to } };
      });
    },

    async saveAccepted(acceptedAt, before, signal) {
      return (await write(db, statements.accept, { acceptedAt, before }, signal)) === 1;
    },

    async saveStep({ from, to }, before, signal) {
      return (await write(db, statements.step, { from, to, before }, signal)) === 1;
    },

    async acceptNow(signal) {
      await write(db, statements.acceptNow, {}, signal);
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
