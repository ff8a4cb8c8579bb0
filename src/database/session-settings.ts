// The settings of sessions, above all those that could change data or answers without an error. Each connection sets them, since
// the server, the account or a proxy may have others.
import type { Connection, RowDataPacket } from "mysql2/promise";
import { classifyError, hasCode, SettingError } from "./database-errors.ts";

interface Setting {
  readonly name: string;
  readonly value: string | number;
  /** The only servers that know it. */
  readonly of?: keyof typeof versionComments;
}

/** Starts a comment that only these servers execute. */
const versionComments = { mariadb: "/*M!100100", mysql: "/*!80000" };

const settings: readonly Setting[] = [
  // A write is durable before it is acknowledged, and no transaction stays open behind a statement.
  { name: "autocommit", value: 1 },
  { name: "completion_type", value: "NO_CHAIN" },
  { name: "tx_isolation", value: "READ-COMMITTED", of: "mariadb" },
  { name: "transaction_isolation", value: "READ-COMMITTED", of: "mysql" },
  { name: "innodb_lock_wait_timeout", value: 5 },
  // A value is stored unchanged, or refused.
  {
    name: "sql_mode",
    value: "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
  },
  { name: "character_set_client", value: "utf8mb4" },
  { name: "character_set_connection", value: "utf8mb4" },
  { name: "character_set_results", value: "utf8mb4" },
  { name: "time_zone", value: "+00:00" },
  { name: "default_storage_engine", value: "InnoDB" },
];

const columns = settings.map(({ name, of }) => {
  const column = `, @@${name} AS ${name}`;
  return of === undefined ? column : ` ${versionComments[of]} ${column} */`;
});
const select = `SELECT @@binlog_format AS binlog_format, @@log_bin AS log_bin${columns.join("")}`;

/** The time for which the pool keeps an idle connection. */
export const idleTimeoutMs = 30_000;
/** Twice as long: the locks of a frozen process end after this time. */
const idleTimeoutSetting = `SET SESSION wait_timeout = ${(2 * idleTimeoutMs) / 1000}`;
/**
 * For connections whose locks other processes wait for: the server closes one that sends or reads nothing for ten seconds,
 * as that of a process that froze in a transaction.
 */
export const freezeTimeoutSetting = "SET SESSION wait_timeout = 10, net_write_timeout = 10, net_read_timeout = 10";
/**
 * A newly elected primary answers nobody before it has applied everything that its predecessor acknowledged. Servers
 * without group replication do not know this setting.
 */
const groupSetting = "SET SESSION group_replication_consistency = 'BEFORE_ON_PRIMARY_FAILOVER'";

/**
 * Sets the settings of a new connection.
 * Throws a `SettingError` with the name of a setting that cannot be set, such as one that a vtgate ignores; else rejects as
 * the driver does.
 * @param statements that set others, in addition to those of every connection
 */
export async function setUpSession(connection: Connection, statements: readonly string[]): Promise<void> {
  const serverValues = await read(connection);
  if (serverValues.binlog_format === "STATEMENT" && Number(serverValues.log_bin) === 1) {
    throw new SettingError(
      "The database has binlog_format STATEMENT, with which it refuses what the service writes; set it to ROW or MIXED.",
    );
  }
  for (const { name, value } of findDifferent(serverValues)) {
    await connection.query(`SET SESSION ${name} = ?`, [value]).catch((error: unknown) => {
      // One that is refused is found below.
      if (classifyError(error) !== undefined) throw error;
    });
  }
  const values = await read(connection);
  const [refusedSetting] = findDifferent(values);
  if (refusedSetting !== undefined) {
    const { name, value } = refusedSetting;
    throw new SettingError(
      `The database has ${name} ${values[name]}, and lets no session set it to ${value}; set it at the server.`,
    );
  }
  for (const statement of [idleTimeoutSetting, ...statements]) await connection.query(statement);
  await connection.query(groupSetting).catch((error: unknown) => {
    if (!hasCode(error, "ER_UNKNOWN_SYSTEM_VARIABLE")) throw error;
  });
}

async function read(connection: Connection): Promise<Readonly<Record<string, unknown>>> {
  const [[row]] = await connection.query<RowDataPacket[]>(select);
  if (row === undefined) throw new Error("the database did not return its settings");
  return row;
}

/** The settings that have other values. One that the server does not know is not needed. */
function findDifferent(serverValues: Readonly<Record<string, unknown>>): Setting[] {
  return settings.filter(({ name, value }) => name in serverValues && String(serverValues[name]) !== String(value));
}
