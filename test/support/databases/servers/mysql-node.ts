// One MySQL 9.7 server to break, on a data folder that outlives it. It ends with this process at the latest.
import { cp, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Connection, createConnection } from "mysql2/promise";
import { freePort } from "../../processes/free-port.ts";
import { ServerProcess } from "../../processes/server-process.ts";
import { makeOwnedFolder, removeLeftovers, templateFolder } from "./mysql97-root.ts";

const folderName = "mysql_fault";

export class MysqlNode {
  readonly port: number;
  readonly #root: string;
  /** As seen from inside the root. */
  readonly #folder: string;
  readonly #server: ServerProcess;

  private constructor(root: string, folder: string, port: number, options: readonly string[]) {
    this.#root = root;
    this.#folder = folder;
    this.port = port;
    this.#server = new ServerProcess({
      name: `MySQL on port ${port}`,
      command: ["chroot", root, "/usr/sbin/mysqld", ...this.#baseOptions(), ...options],
      logFile: join(root, folder, "log"),
      isReady: () => this.asAdministrator((connection) => connection.query("SELECT 1")).then(() => true),
    });
  }

  /** Makes a server with fresh data; it does not run yet. @param options of its own, by its port */
  static async create(root: string, options: (port: number) => readonly string[] = () => []): Promise<MysqlNode> {
    const runs = join(root, "var/lib");
    await removeLeftovers(runs, folderName);
    const folder = await makeOwnedFolder(runs, folderName);
    await cp(join(root, templateFolder), join(folder, "data"), { recursive: true });
    // Every server of a cluster needs a name of its own, which it makes when it finds none.
    await rm(join(folder, "data/auto.cnf"), { force: true });
    const port = await freePort();
    return new MysqlNode(root, `/${relative(root, folder)}`, port, options(port));
  }

  /** As seen from outside the root. */
  get socket(): string {
    return join(this.#root, this.#folder, "mysqld.sock");
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** Starts the server and resolves when it answers. */
  start(): Promise<void> {
    return this.#server.start();
  }

  /** Ends the server with a signal. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    return this.#server.end(signal);
  }

  /** An administrator's connection, to be ended by the caller. */
  connect(database?: string): Promise<Connection> {
    const address = { host: "127.0.0.1", port: this.port, user: "root", connectTimeout: 2_000 };
    return createConnection({ ...address, ...(database === undefined ? {} : { database }) });
  }

  /** Lends an administrator's connection. */
  async asAdministrator<T>(work: (connection: Connection) => Promise<T>, database?: string): Promise<T> {
    const connection = await this.connect(database);
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  }

  /** Ends the server and removes its data. */
  async remove(): Promise<void> {
    await this.end("SIGKILL");
    await rm(join(this.#root, this.#folder), { recursive: true, force: true });
  }

  #baseOptions(): string[] {
    const folder = this.#folder;
    return [
      "--no-defaults",
      "--user=root",
      `--datadir=${folder}/data`,
      `--socket=${folder}/mysqld.sock`,
      `--pid-file=${folder}/mysqld.pid`,
      "--bind-address=127.0.0.1",
      `--port=${this.port}`,
      "--mysqlx=OFF",
      "--secure-file-priv=NULL",
      // A commit waits for the system to have it, not for the disk: a killed process loses nothing by that.
      "--innodb-flush-log-at-trx-commit=2",
      "--sync-binlog=0",
    ];
  }
}
