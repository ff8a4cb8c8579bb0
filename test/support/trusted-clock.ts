// A clock of the database that nothing doubts, for tests that are about something else.
import type { Knex } from "knex";
import { readClock } from "../../src/database/clock.ts";
import { onConnection } from "../../src/database/connection.ts";
import type { TrustedClock, TrustedTime } from "../../src/domain/trusted-clock.ts";

/** A time that a test vouches for. */
export function trustedTime(time: Date | number): TrustedTime {
  return new Date(time) as TrustedTime;
}

/** What the clock of a database says. */
export async function databaseTime(db: Knex, signal: AbortSignal): Promise<TrustedTime> {
  const reading = await onConnection(db, signal, (connection) => readClock(connection, () => performance.now()));
  return trustedTime(reading.time);
}

/** One that says what it is told to, in milliseconds since 1970. */
export function trustedClockAt(clock: () => number): TrustedClock {
  return { now: () => trustedTime(clock()) };
}
