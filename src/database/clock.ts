// The clock of the database.
import type { Connection, RowDataPacket } from "mysql2";
import type { MonotonicClock } from "../kernel/environment.ts";
import type { ClockReading } from "../kernel/shared-clock.ts";
import { execute } from "./statement.ts";

const selectTime = { sql: "SELECT NOW(3) AS time", names: [] };

/** What the clock of the database says, on a connection that the caller holds. Rejects as the driver does. */
export async function readClock(connection: Connection, monotonic: MonotonicClock): Promise<ClockReading> {
  const askedAt = monotonic();
  const [row] = (await execute(connection, selectTime, {})) as RowDataPacket[];
  return { time: row?.time.getTime(), askedAt, answeredAt: monotonic() };
}
