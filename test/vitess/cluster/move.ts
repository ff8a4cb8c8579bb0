// What an operator does to go from one MySQL to Vitess while the service runs, as docs/scale.md says it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { MysqlNode } from "../../support/databases/servers/mysql-node.ts";
import type { ServerProcess } from "../../support/processes/server-process.ts";
import { tablesOfKeyspace } from "../shards.ts";
import type { Cluster } from "./cluster.ts";
import { untilCopied } from "./copying.ts";
import { aliasOf, createVttablet } from "./tablet.ts";

const uid = 900;
const source = "main";
const account = "vitess";
const workflows = { global: "to-global", assess: "to-assess" } as const;
type Target = keyof typeof workflows;

export class Move {
  readonly #cluster: Cluster;
  readonly #mysql: MysqlNode;
  readonly #database: string;
  #part: ServerProcess | undefined;

  constructor(cluster: Cluster, mysql: MysqlNode, database: string) {
    this.#cluster = cluster;
    this.#mysql = mysql;
    this.#database = database;
  }

  /** Shows the server to Vitess as a keyspace of its own. Nothing goes through it yet. */
  async show(): Promise<void> {
    const { vtctl, folder, topology, vttablet } = this.#cluster;
    await vtctl("CreateKeyspace", "--durability-policy=none", source);
    const own = join(folder, aliasOf(uid));
    await mkdir(own);
    const place = { program: vttablet, folder: own, topology, keyspace: source, shard: "0", uid };
    await this.#mysql.asAdministrator(async (connection) => {
      await connection.query(`CREATE USER ${account} IDENTIFIED BY '${account}'`);
      await connection.query(`GRANT ALL ON *.* TO ${account}`);
    });
    const users = [`--db-ROLE-user=${account}`, `--db-ROLE-password=${account}`];
    const kind = ["--unmanaged", `--init-db-name-override=${this.#database}`];
    this.#part = await createVttablet(place, this.#mysql, users, kind);
    await this.#part.start();
    await vtctl("TabletExternallyReparented", aliasOf(uid));
  }

  /** Resolves when all rows are copied, and what changes follows. */
  async copy(): Promise<void> {
    for (const target of ["global", "assess"] as const) {
      const tables = await tablesOfKeyspace(target, "and the record of migrations");
      const how = [`--source-keyspace=${source}`, `--tables=${tables.join(",")}`, "--defer-secondary-keys=false"];
      await this.#moveTables(target, "create", ...how);
    }
    for (const target of ["global", "assess"] as const) await untilCopied(this.#cluster, target, workflows[target]);
  }

  /**
   * From here on everything is read from and written to the keyspaces; before, all processes have to go by vtgate. There is no
   * way back: numbers of two logs would meet in one.
   */
  async switchTraffic(): Promise<void> {
    for (const target of ["global", "assess"] as const) {
      await this.#moveTables(target, "switchtraffic", "--enable-reverse-replication=false");
    }
  }

  /** Forgets the server, and leaves it its rows. */
  async complete(): Promise<void> {
    const { vtctl } = this.#cluster;
    for (const target of ["global", "assess"] as const) {
      await this.#moveTables(target, "complete", "--keep-data", "--keep-routing-rules");
    }
    await this.#part?.end();
    await vtctl("DeleteShards", "--recursive", "--even-if-serving", `${source}/0`);
    await vtctl("DeleteKeyspace", source);
    await vtctl("ApplyRoutingRules", "--rules={}");
  }

  async stop(): Promise<void> {
    await this.#part?.end();
  }

  #moveTables(target: Target, action: string, ...args: string[]): Promise<string> {
    const where = [`--target-keyspace=${target}`, `--workflow=${workflows[target]}`];
    return this.#cluster.vtctl("MoveTables", ...where, action, ...args);
  }
}
