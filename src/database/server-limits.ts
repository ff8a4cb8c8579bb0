// Limits of the database server that all its callers share, and how much of them is used.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { onConnection } from "./connection.ts";
import { execute } from "./statement.ts";

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
