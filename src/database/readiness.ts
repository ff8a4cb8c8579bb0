// Asks the database whether it can serve.
import type { Knex } from "knex";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { leastLead, maxLeadMs, readClock } from "./clock.ts";
import { onConnection } from "./connection.ts";
import { faultOf } from "./database-errors.ts";
import { pendingMigrationsOn } from "./migrate.ts";

export interface Clocks {
  readonly system: Clock;
  readonly monotonic: MonotonicClock;
}

export interface DatabaseReadiness {
  /** Undefined: requests can be served. */
  readonly fault: string | undefined;
  /** Whether migrations are missing; undefined: unknown. */
  readonly isBehind: boolean | undefined;
}

/**
 * Whether the database can serve: reachable, fully migrated, and with a clock that agrees with this host's. Never rejects.
 */
export async function askReadiness(db: Knex, clocks: Clocks, signal: AbortSignal): Promise<DatabaseReadiness> {
  try {
    return await onConnection(db, signal, async (connection) => {
      const reading = await readClock(connection, clocks.monotonic);
      const lead = leastLead(reading, clocks.system());
      const isBehind = (await pendingMigrationsOn(connection)).length > 0;
      return { fault: isBehind ? schemaFault : clockFault(lead), isBehind };
    });
  } catch (error) {
    return { fault: faultOf(error), isBehind: undefined };
  }
}

const schemaFault = "The database schema is behind; bring it up to date with `pas migrate`.";

/** What is wrong with this host's clock, if anything. @param leadMs by how much it is ahead at least */
export function clockFault(leadMs: number): string | undefined {
  if (Math.abs(leadMs) <= maxLeadMs) return undefined;
  const seconds = Math.round(Math.abs(leadMs) / 1000);
  const direction = leadMs > 0 ? "ahead of" : "behind";
  return `The clock of this host is ${seconds} s ${direction} the database's; synchronize both, with NTP for example.`;
}
