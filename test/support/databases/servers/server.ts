// A database server of tests, and databases on it.
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import type { DatabaseAddress } from "../../../../src/database/database.ts";

/** An administrator's way into a database server. */
export type DatabaseServer = { readonly url: string } | { readonly socketPath: string; readonly user: string };

export interface TestDatabase {
  readonly address: DatabaseAddress;
  /** The same address as a value of DATABASE_URL. */
  readonly url: string;
  /** A connection for looking at what is stored. */
  readonly connection: Connection;
  /** A further such connection, to be ended by the caller. */
  openConnection(): Promise<Connection>;
  /** One to the server that has what is of no partner, which does there what it is asked to. */
  openUndivided(): Promise<Connection>;
  drop(): Promise<void>;
}

/** Creates a database without any table. */
export async function createDatabase(server: DatabaseServer, name: string): Promise<TestDatabase> {
  // Times are in UTC, wherever this machine is.
  const connect = () => createConnection({ ...("url" in server ? { uri: server.url } : server), timezone: "Z" });
  const admin = await connect();
  const run = (statement: string) => ("url" in server ? inTurn(admin, statement) : admin.query(statement));
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const url = "url" in server ? urlOf(server.url, name) : socketUrl(server, name);
  await admin.query(`USE ${name}`);
  const openConnection = async () => {
    const connection = await connect();
    await connection.query(`USE ${name}`);
    return connection;
  };
  return {
    address: { url },
    url,
    connection: admin,
    openConnection,
    openUndivided: openConnection,
    async drop() {
      // Vitess may not have heard of one that is this young.
      await run(`DROP DATABASE IF EXISTS ${name}`);
      await admin.end();
    },
  };
}

/** One after the other: vtcombo changes its list of databases without a lock, and loses some, or connections, otherwise. */
async function inTurn(admin: Connection, statement: string): Promise<void> {
  // Vitess ends what waits for longer than 30 seconds.
  const take = { sql: "SELECT GET_LOCK('pas_test_databases', 20)", rowsAsArray: true };
  for (let lockResult = 0; lockResult !== 1; ) {
    const [[row]] = await admin.query<RowDataPacket[]>(take);
    lockResult = row?.[0];
  }
  try {
    await admin.query(statement);
  } finally {
    await admin.query("SELECT RELEASE_LOCK('pas_test_databases')");
  }
}

function socketUrl({ socketPath, user }: { socketPath: string; user: string }, database: string): string {
  return `mysql://${user}@localhost/${database}?socketPath=${encodeURIComponent(socketPath)}`;
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
