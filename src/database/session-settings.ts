// The session settings that could change data or answers without an error. Each connection sets them, since the server, the
// account or a proxy may have others.
import type { Connection, RowDataPacket } from "mysql2";
import { classifyError, SettingError } from "./database-errors.ts";

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
  const settingsToSet = settings.filter((setting) => !hasValue(setting, serverValues));
  if (settingsToSet.length === 0) return;
  // Together, since each statement waits for the network; one that is refused keeps none of the others from being set.
  const wasApplied = await set(connection, settingsToSet);
  for (const setting of wasApplied ? [] : settingsToSet) await set(connection, [setting]);
  const appliedSettings = await read(connection);
  const [refusedSetting] = settingsToSet.filter((setting) => !hasValue(setting, appliedSettings));
  if (refusedSetting !== undefined) {
    const { name, value } = refusedSetting;
    throw new SettingError(
      `The database has ${name} ${appliedSettings[name]}, and lets no session set it to ${value}; set it at the server.`,
    );
  }
}

/** Whether the server sets them: reading the settings again shows those that it did not set. */
async function set(connection: Connection, some: readonly Setting[]): Promise<boolean> {
  const assignments = some.map(({ name }) => `${name} = ?`).join(", ");
  const values = some.map(({ value }) => value);
  try {
    await connection.promise().query(`SET SESSION ${assignments}`, values);
    return true;
  } catch (error) {
    if (classifyError(error) !== undefined) throw error;
    return false;
  }
}

async function read(connection: Connection): Promise<Readonly<Record<string, unknown>>> {
  const [[row]] = await connection.promise().query<RowDataPacket[]>(select);
  if (row === undefined) throw new Error("the database did not return its settings");
  return row;
}

/** A setting that the server does not know is not needed. */
function hasValue({ name, value }: Setting, serverValues: Readonly<Record<string, unknown>>): boolean {
  return !(name in serverValues) || String(serverValues[name]) === String(value);
}
