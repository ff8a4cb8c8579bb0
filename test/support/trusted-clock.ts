// A clock of the database that nothing doubts, for tests that are about something else.
import type { Knex } from "knex";
import { fetchRows } from "../../src/database/statement.ts";
import type { TrustedClock, TrustedTime } from "../../src/domain/trusted-clock.ts";

/** A time that a test vouches for. */
export function trustedTime(time: Date | number): TrustedTime {
  return new Date(time) as TrustedTime;
}

/** What the clock of a database says. */
export async function databaseTime(db: Knex, signal: AbortSignal): Promise<TrustedTime> {
  const [row] = await fetchRows(db, { sql: "SELECT NOW(3) AS time", names: [] }, {}, signal);
  return trustedTime(row?.time);
}

/** One that says what it is told to, in milliseconds since 1970. */
export function trustedClockAt(clock: () => number): TrustedClock {
  return { now: () => trustedTime(clock()) };
}
