// At most so many rows of one kind, such as the links of a session: the oldest go.
import type { RowDataPacket } from "mysql2";
import type { Connection } from "../database/connection.ts";
import type { Statement } from "../database/statement.ts";

/** Deletes the oldest rows that the query lists, the newest first, so that `most` stay. @param values of the row that stays */
export async function keepNewest(
  connection: Connection,
  {
    list,
    remove,
  }: { readonly list: Statement<RowDataPacket | { readonly hash: Uint8Array }>; readonly remove: Statement },
  values: { readonly hash: Uint8Array },
  most: number,
): Promise<void> {
  const rows = await connection.findAll(list, values);
  const older = rows.filter(({ hash }) => Buffer.compare(hash, values.hash) !== 0);
  for (const { hash } of older.slice(most - 1)) await connection.execute(remove, { ...values, hash });
}
