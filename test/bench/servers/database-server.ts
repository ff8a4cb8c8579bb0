// The database servers that the bench runs on: the one of DATABASE_URL, an embedded one, or MySQL 9.7.
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { startEmbeddedDatabase } from "../../../src/database/embedded/database.ts";
import { startMysql97 } from "../../support/databases/servers/mysql97.ts";
import type { DatabaseServer as TestServer } from "../../support/databases/servers/server.ts";

export type ServerKind = "url" | "embedded" | "mysql97";

export interface DatabaseServer {
  readonly kind: ServerKind;
  /** For example `MariaDB 10.11.14`. */
  readonly name: string;
  /** What durability, memory and replication are set to. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** An administrator's way in, without a database. */
  readonly address: TestServer;
  stop(): Promise<void>;
}

const settingNames = [
  "innodb_flush_log_at_trx_commit",
  "sync_binlog",
  "log_bin",
  "innodb_doublewrite",
  "innodb_flush_method",
  "innodb_buffer_pool_size",
];

/** The embedded server's data; on a real disk, unlike the system's temporary folder often is. */
const dataDir = "bench-results/data";

/**
 * Starts a server, or takes the one of DATABASE_URL. Every commit must be on disk before it is acknowledged: a server
 * of our own is set so, another one that is set otherwise is refused.
 */
export async function startDatabaseServer(kind: ServerKind, say: (line: string) => void): Promise<DatabaseServer> {
  const server = await start(kind, say);
  try {
    const admin = await connect(server.address);
    if (kind !== "url") await makeDurable(admin);
    const settings = await readSettings(admin);
    const [rows] = await admin.query<RowDataPacket[]>("SELECT VERSION() AS version");
    await admin.end();
    if (settings.innodb_flush_log_at_trx_commit !== 1) {
      throw new Error("the database server does not flush its log at every commit (innodb_flush_log_at_trx_commit)");
    }
    const version = String(rows[0]?.version);
    const name = `${version.includes("MariaDB") ? "MariaDB" : "MySQL"} ${version.split("-")[0]}`;
    return { kind, name, settings, ...server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A connection of an administrator. */
function connect(address: TestServer): Promise<Connection> {
  const where = "url" in address ? { uri: withoutDatabase(address.url) } : { ...address };
  return createConnection(where);
}

async function start(kind: ServerKind, say: (line: string) => void): Promise<Pick<DatabaseServer, "address" | "stop">> {
  if (kind === "url") {
    const url = process.env.DATABASE_URL;
    if (url === undefined) throw new Error("DATABASE_URL is not set");
    return { address: { url }, stop: async () => undefined };
  }
  if (kind === "mysql97") {
    const mysql = await startMysql97({ log: say, isDurable: true });
    return { address: { url: mysql.url }, stop: () => mysql.stop() };
  }
  const database = await startEmbeddedDatabase({ dataDir, log: say });
  const { socketPath, user } = database.connection;
  return { address: { socketPath, user }, stop: () => database.stop() };
}

async function makeDurable(admin: Connection): Promise<void> {
  await admin.query("SET GLOBAL innodb_flush_log_at_trx_commit = 1, GLOBAL sync_binlog = 1");
}

async function readSettings(admin: Connection): Promise<Record<string, string | number>> {
  const [rows] = await admin.query<RowDataPacket[]>("SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)", [settingNames]);
  return Object.fromEntries(
    rows.map(({ Variable_name: name, Value: value }) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );
}

function withoutDatabase(url: string): string {
  const address = new URL(url);
  address.pathname = "/";
  return address.href;
}
