// What the service relies on in a session, whatever the server, the account or a proxy gives a new connection.
import type { Connection, RowDataPacket } from "mysql2";
import { SettingError, troubleOf } from "./database-errors.ts";

interface Setting {
  readonly name: string;
  readonly value: string | number;
  /** Whether a larger value is as good. */
  readonly isLeast?: true;
  /** The only servers that know it. */
  readonly of?: keyof typeof knownTo;
}

/** The start of a comment that these servers execute, and all others skip. */
const knownTo = { mariadb: "/*M!100100", mysql: "/*!80000" };

const settings: readonly Setting[] = [
  // A write is stored before it is acknowledged, and the next statement begins with nothing open.
  { name: "autocommit", value: 1 },
  { name: "completion_type", value: "NO_CHAIN" },
  { name: "tx_isolation", value: "READ-COMMITTED", of: "mariadb" },
  { name: "transaction_isolation", value: "READ-COMMITTED", of: "mysql" },
  { name: "tx_read_only", value: 0, of: "mariadb" },
  { name: "transaction_read_only", value: 0, of: "mysql" },
  { name: "innodb_lock_wait_timeout", value: 5 },
  // A value is stored as it was given, or refused.
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
  // A statement does all that it says, and gives all that it finds.
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
// The limit of the statement stands above `sql_select_limit`, which may be 0.
const select = `SELECT @@binlog_format AS binlog_format, @@log_bin AS log_bin${columns.join("")} LIMIT 1`;

/** A setting that a connection came with, and what it has in its place. */
export interface ChangedSetting {
  readonly name: string;
  readonly found: string;
  readonly value: string;
}

/**
 * Gives a new connection what the service relies on.
 * @returns what it came with otherwise
 * Throws a `SettingError` that names a setting which cannot be had, such as one that a vtgate leaves as it is; else
 * rejects as the driver does.
 */
export async function setUpSession(connection: Connection): Promise<ChangedSetting[]> {
  const found = await read(connection);
  if (found.binlog_format === "STATEMENT" && Number(found.log_bin) === 1) {
    throw new SettingError(
      "The database has binlog_format STATEMENT, with which it refuses what the service writes; set it to ROW or MIXED.",
    );
  }
  const wrong = settings.filter((setting) => !isMet(setting, found));
  if (wrong.length > 0) await set(connection, wrong).catch(unlessLost);
  const applied = wrong.length === 0 ? found : await read(connection);
  const [left] = wrong.filter((setting) => !isMet(setting, applied));
  if (left !== undefined) {
    const { name, value } = left;
    throw new SettingError(
      `The database has ${name} ${applied[name]}, and lets no session set it to ${value}; set it at the server.`,
    );
  }
  return wrong.map(({ name, value }) => ({ name, found: String(found[name]), value: String(value) }));
}

/** In one statement, and one by one where the server refuses one of them. */
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

/** What the server refuses to set is found by reading it again. */
function unlessLost(error: unknown): void {
  if (troubleOf(error) !== undefined) throw error;
}

async function read(connection: Connection): Promise<Readonly<Record<string, unknown>>> {
  const [[row]] = await connection.promise().query<RowDataPacket[]>(select);
  if (row === undefined) throw new Error("the database did not tell its settings");
  return row;
}

/** What the server does not know is not in the way. */
function isMet({ name, value, isLeast }: Setting, found: Readonly<Record<string, unknown>>): boolean {
  if (!(name in found)) return true;
  return isLeast ? Number(found[name]) >= Number(value) : String(found[name]) === String(value);
}
