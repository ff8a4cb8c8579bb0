// What tables take on disk, index by index: all pages that belong to them, full or not.
import type { RowDataPacket } from "mysql2/promise";
import type { BenchDatabase } from "./bench-database.ts";

export interface IndexSize {
  readonly table: string;
  /** `PRIMARY`: the rows themselves. */
  readonly index: string;
  readonly bytes: number;
}

/** Sizes of every index of the tables. */
export async function indexSizes(
  { connection, name }: Pick<BenchDatabase, "connection" | "name">,
  tables: readonly string[],
): Promise<IndexSize[]> {
  await connection.query("ANALYZE TABLE ??", [tables]);
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT table_name AS indexed, index_name AS named, stat_value * @@innodb_page_size AS bytes
     FROM mysql.innodb_index_stats WHERE database_name = ? AND table_name IN (?) AND stat_name = 'size'`,
    [name, tables],
  );
  return rows.map(({ indexed, named, bytes }) => ({ table: indexed, index: named, bytes: Number(bytes) }));
}
