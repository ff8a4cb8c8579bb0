// A MariaDB that keeps binary logs on a disk of their own: they are what fills it, and what makes room again. Where its data
// are on the full disk as well, MariaDB 10.11 ends itself as soon as it must undo a transaction without room.
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { startMariadb } from "../../../support/databases/servers/own-server.ts";
import { administratorAt, type BreakableDatabase, prepareServer, schema } from "../database/database.ts";
import { until } from "../system.ts";
import type { OperatedDatabase } from "./runbook.ts";

const logMegabytes = 8;

export interface LoggingServer extends OperatedDatabase, Pick<BreakableDatabase, "asAdministrator"> {
  /** Fills that many binary logs, and dates all but the last of all two days back. */
  writeOldLogs(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param logFolder for the binary logs */
export async function startLoggingServer(logFolder: string): Promise<LoggingServer> {
  const { socketPath, stop } = await startMariadb({
    options: () => [
      ...["--skip-networking", "--character-set-server=utf8mb4", `--log-bin=${join(logFolder, "binlog")}`],
      ...["--binlog-format=ROW", `--max-binlog-size=${logMegabytes}M`, "--innodb-log-file-size=32M"],
    ],
  });
  const asAdministrator = administratorAt(socketPath);
  await until("the server", () => asAdministrator(prepareServer).then(() => true));
  return {
    url: `mysql://pas@localhost/${schema}?socketPath=${encodeURIComponent(socketPath)}`,
    socketPath,
    schema,
    asAdministrator: (work) => asAdministrator(work, schema),
    writeOldLogs: (count) =>
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
