// A MariaDB that keeps binary logs on a disk of their own: they are what fills it, and what makes room again. Where its data
// are on the full disk as well, MariaDB 10.11 ends itself as soon as it must undo a transaction without room.
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { startMariadb } from "../../../support/databases/servers/own-server.ts";
import { until } from "../../../support/until.ts";
import { administratorAt, prepareServer, schema } from "../database/database.ts";

const logMegabytes = 8;

/** @param logFolder for the binary logs */
export async function startLoggingServer(logFolder: string) {
  const { socketPath, stop } = await startMariadb({
    options: () => [
      ...["--skip-networking", "--character-set-server=utf8mb4", `--log-bin=${join(logFolder, "binlog")}`],
      ...["--binlog-format=ROW", `--max-binlog-size=${logMegabytes}M`, "--innodb-log-file-size=32M"],
    ],
  });
  await until(() => administratorAt(socketPath)(prepareServer).then(() => true));
  const asAdministrator = administratorAt(socketPath, schema);
  return {
    url: `mysql://pas@localhost/${schema}?socketPath=${encodeURIComponent(socketPath)}`,
    socketPath,
    schema,
    asAdministrator,
    /** Fills that many binary logs, and dates all but the last of all two days back. */
    writeOldLogs: (count: number) =>
      asAdministrator(async (connection) => {
        await connection.query("CREATE DATABASE filler");
        await connection.query("CREATE TABLE filler.logged (id INT PRIMARY KEY, body LONGBLOB)");
        const megabytes = logMegabytes * 2 ** 20;
        for (let number = 0; number < count; number += 1) {
          await connection.query("REPLACE INTO filler.logged VALUES (1, REPEAT(CHAR(65 + ?), ?))", [number, megabytes]);
        }
        await connection.query("FLUSH BINARY LOGS");
        const logs = (await readdir(logFolder)).filter((name) => /^binlog\.\d+$/.test(name)).toSorted();
        const old = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
        for (const name of logs.slice(0, -1)) await utimes(join(logFolder, name), old, old);
      }),
    stop,
  };
}
