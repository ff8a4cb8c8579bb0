// A dump and its restoring, by SQL alone: what `mysqldump --single-transaction --hex-blob` does, on machines without it.
import type { Connection, RowDataPacket } from "mysql2/promise";

/** The tables of the connection's schema. */
export async function tablesOf(connection: Connection): Promise<string[]> {
  const sql = "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1";
  return namesIn(await connection.query<RowDataPacket[]>(sql));
}

/** Statements that make the schema anew, with all rows of one moment. */
export async function dump(connection: Connection): Promise<string[]> {
  await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  await connection.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  const statements: string[] = [];
  for (const table of await tablesOf(connection)) {
    const [[tableRow]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${table}`);
    statements.push(String(tableRow?.["Create Table"]));
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT CONCAT_WS(', ', ${(await literalsOf(connection, table)).join(", ")}) AS literals FROM ${table}`,
    );
    for (const { literals } of rows) statements.push(`INSERT INTO ${table} VALUES (${literals})`);
  }
  await connection.query("COMMIT");
  return statements;
}

/** Runs the statements of a dump in an empty schema. */
export async function restore(connection: Connection, statements: readonly string[]): Promise<void> {
  await connection.query("SET SESSION time_zone = '+00:00', FOREIGN_KEY_CHECKS = 0");
  for (const statement of statements) await connection.query(statement);
}

/** What to select for each column of a table: its value as a literal, bytes as hexadecimal digits. */
async function literalsOf(connection: Connection, table: string): Promise<string[]> {
  const [columns] = await connection.query<RowDataPacket[]>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
    [table],
  );
  return columns.map(({ name, type }) =>
    /binary|blob/.test(type)
      ? `IF(\`${name}\` IS NULL, 'NULL', CONCAT('X''', HEX(\`${name}\`), ''''))`
      : `QUOTE(\`${name}\`)`,
  );
}

function namesIn([rows]: [RowDataPacket[], unknown]): string[] {
  return rows.map(({ name }) => String(name));
}
