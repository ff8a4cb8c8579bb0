// Asks the database whether it can serve, and for the limits of its server.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { clockFault, leastLead, readClock } from "./clock.ts";
import { onConnection } from "./connection.ts";
import { faultOf } from "./database-errors.ts";
import { pendingMigrationsOn } from "./migrate.ts";
import { execute } from "./statement.ts";

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

export interface ServerLimits {
  /** The server's version, for example `9.7.0` or `10.11.14-MariaDB`. */
  readonly version: string;
  /** Most connections at a time. */
  readonly connections: number;
  readonly openConnections: number;
  /** Most prepared statements of all connections together. */
  readonly preparedStatements: number;
  readonly openPreparedStatements: number;
}

const selectLimits = {
  sql: "SELECT @@version AS version, @@max_connections AS connections, @@max_prepared_stmt_count AS statements",
  names: [],
};
const showCounts = {
  sql: "SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Prepared_stmt_count')",
  names: [],
};

/** Throws `unavailable` (see `asRefusal`). */
export function readServerLimits(db: Knex, signal: AbortSignal): Promise<ServerLimits> {
  return onConnection(db, signal, async (connection) => {
    const [limits] = (await execute(connection, selectLimits, {})) as RowDataPacket[];
    const counts = (await execute(connection, showCounts, {})) as RowDataPacket[];
    const countOf = (name: string) => Number(counts.find((row) => row.Variable_name === name)?.Value ?? 0);
    return {
      version: String(limits?.version),
      connections: Number(limits?.connections),
      openConnections: countOf("Threads_connected"),
      preparedStatements: Number(limits?.statements),
      openPreparedStatements: countOf("Prepared_stmt_count"),
    };
  });
}
