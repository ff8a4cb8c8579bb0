// A database server that a test may break: killed, frozen, started again.
import { type Connection, createConnection } from "mysql2/promise";
import type { ProxyTarget } from "../../../support/databases/database-proxy.ts";

export interface BreakableDatabase {
  /** A value of DATABASE_URL: the service's own user, who may do no more than a service has to. */
  readonly url: string;
  /** Where its connections go, for a proxy in between. */
  readonly target: ProxyTarget;
  /** The same URL, but through something that listens on this port of loopback. */
  urlThrough(port: number): string;
  /** Ends the server, or the primary of a cluster, without a warning. */
  kill(): Promise<void>;
  /** Brings back what was killed. */
  start(): Promise<void>;
  /** Lends an administrator's connection to the schema of the service. */
  asAdministrator<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Ends all and removes it. */
  remove(): Promise<void>;
}

/** The schema that the service uses. */
export const schema = "pas_faults";

/** Lends connections of the administrator at a server's socket, to one schema or to none. */
export function administratorAt(socketPath: string, database = "") {
  return async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await createConnection({ socketPath, user: "root", database });
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  };
}

/** Makes schema and user, on a server that may have them already. */
export async function prepareServer(connection: Connection): Promise<void> {
  await connection.query(`CREATE DATABASE IF NOT EXISTS ${schema} CHARACTER SET utf8mb4`);
  for (const user of ["'pas'@'localhost'", "'pas'@'%'"]) {
    await connection.query(`CREATE USER IF NOT EXISTS ${user}`);
    await connection.query(`GRANT ALL ON ${schema}.* TO ${user}`);
  }
}
