// The session settings that the service relies on, set whatever the server, the account or a proxy gives a new connection.
import type { Connection, RowDataPacket } from "mysql2";
import { SettingError, troubleOf } from "./database-errors.ts";

interface Setting {
  readonly name: string;
  readonly value: string | number;
  /** Whether a larger value is fine too. */
  readonly isLeast?: true;
  /** The only servers that know it. */
  readonly of?: keyof typeof knownTo;
}

/** Starts a comment that only these servers execute. */
const knownTo = { mariadb: "/*M!100100", mysql: "/*!80000" };

const settings: readonly Setting[] = [
  // A write is durable before it is acknowledged, and no transaction stays open behind a statement.
  { name: "autocommit", value: 1 },
  { name: "completion_type", value: "NO_CHAIN" },
  { name: "tx_isolation", value: "READ-COMMITTED", of: "mariadb" },
  { name: "transaction_isolation", value: "READ-COMMITTED", of: "mysql" },
  { name: "tx_read_only", value: 0, of: "mariadb" },
  { name: "transaction_read_only", value: 0, of: "mysql" },
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
  { name: "unique_checks", value: 1 },
  { name: "default_storage_engine", value: "InnoDB" },
  // A statement is never cut short, and returns everything that it finds.
  { name: "sql_safe_updates", value: 0 },
  { name: "sql_auto_is_null", value: 0 },
  { name: "sql_big_selects", value: 1 },
  { name: "sql_select_limit", value: Number.MAX_SAFE_INTEGER, isLeast: true },
  { name: "max_statement_time", value: 0, of: "mariadb" },
  { name: "max_execution_time", value: 0, of: "mysql" },
  { name: "max_sort_length", value: 1024, isLeast: true },
  { name: "group_concat_max_len", value: 1024, isLeast: true },
  { name: "div_precision_increment", value: 4, isLeast: true },
];

const columns = settings.map(({ name, of }) => {
  const column = `, @@${name} AS ${name}`;
  return of === undefined ? column : ` ${knownTo[of]} ${column} */`;
});
// A statement's own LIMIT overrides `sql_select_limit`, which may be 0.
const select = `SELECT @@binlog_format AS binlog_format, @@log_bin AS log_bin${columns.join("")} LIMIT 1`;

/**
 * Sets the settings of a new connection.
 * Throws a `SettingError` with the name of a setting that cannot be set, such as one that a vtgate ignores; else rejects as
 * the driver does.
 */
export async function setUpSession(connection: Connection): Promise<void> {
  const serverValues = await read(connection);
  if (serverValues.binlog_format === "STATEMENT" && Number(serverValues.log_bin) === 1) {
    throw new SettingError(
      "The database has binlog_format STATEMENT, with which it refuses what the service writes; set it to ROW or MIXED.",
    );
  }
  const wrong = settings.filter((setting) => !isMet(setting, serverValues));
  if (wrong.length === 0) return;
  await set(connection, wrong).catch(unlessLost);
  const applied = await read(connection);
  const [unmet] = wrong.filter((setting) => !isMet(setting, applied));
  if (unmet !== undefined) {
    const { name, value } = unmet;
    throw new SettingError(
      `The database has ${name} ${applied[name]}, and lets no session set it to ${value}; set it at the server.`,
    );
  }
}

/** In one statement, since each takes a way to the server and back; one by one if the server refuses it. */
async function set(connection: Connection, wrong: readonly Setting[]): Promise<void> {
  const session = connection.promise();
  const assignments = wrong.map(({ name }) => `${name} = ?`).join(", ");
  try {
    await session.query(
      `SET SESSION ${assignments}`,
      wrong.map(({ value }) => value),
    );
  } catch (error) {
    unlessLost(error);
    for (const { name, value } of wrong) await session.query(`SET SESSION ${name} = ?`, [value]).catch(unlessLost);
  }
}

/** Reading the settings again shows those that the server did not set. */
function unlessLost(error: unknown): void {
  if (troubleOf(error) !== undefined) throw error;
}

async function read(connection: Connection): Promise<Readonly<Record<string, unknown>>> {
  const [[row]] = await connection.promise().query<RowDataPacket[]>(select);
  if (row === undefined) throw new Error("the database did not return its settings");
  return row;
}

/** A setting that the server does not know is not needed. */
function isMet({ name, value, isLeast }: Setting, serverValues: Readonly<Record<string, unknown>>): boolean {
  if (!(name in serverValues)) return true;
  return isLeast ? Number(serverValues[name]) >= Number(value) : String(serverValues[name]) === String(value);
}
