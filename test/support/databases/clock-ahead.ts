// A database whose clock can be set ahead, for connections of one user alone: others go by the right time.
import { randomBytes } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { createTestDatabase } from "./database.ts";

/** It sets a variable of the server, so of the files of a run one at a time may have such a database. */
export async function createClockedDatabase() {
  const database = await createTestDatabase();
  const { connection } = database;
  const user = `ahead${randomBytes(6).toString("hex")}`;
  const name = new URL(database.url).pathname.slice(1);
  await connection.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'secret'`);
  await connection.query(`GRANT ALL ON ${name}.* TO ${user}@'%'`);
  const [[server]] = await connection.query<RowDataPacket[]>("SELECT VERSION() AS version");
  // There, setting the time of a connection takes a right of its own.
  if (!/mariadb/i.test(server?.version)) await connection.query(`GRANT SESSION_VARIABLES_ADMIN ON *.* TO ${user}@'%'`);
  return {
    ...database,
    /** The database as the user whose clock is set. */
    clockedUrl: Object.assign(new URL(database.url), { username: user, password: "secret" }).href,
    /** Sets that user's clock so many seconds ahead of the right time; 0 puts it right. */
    async setAhead(seconds: number) {
      const time = seconds === 0 ? "0" : `UNIX_TIMESTAMP() + ${seconds}`;
      await connection.query("SET GLOBAL init_connect = ?", [
        `SET timestamp = IF(SUBSTRING_INDEX(USER(), '@', 1) = '${user}', ${time}, 0)`,
      ]);
      const [open] = await connection.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE user = ?",
        [user],
      );
      for (const { id, ID = id } of open) await connection.query(`KILL ${ID}`).catch(() => undefined);
    },
    async drop() {
      await connection.query("SET GLOBAL init_connect = ''");
      await connection.query(`DROP USER ${user}@'%'`);
      await database.drop();
    },
  };
}
