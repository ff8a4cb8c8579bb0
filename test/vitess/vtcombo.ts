// Vitess in one process: a vtgate, and tablets for each keyspace.
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createConnection } from "mysql2/promise";
import { freePort } from "../support/processes/free-port.ts";
import { answersSql, createPart } from "./part.ts";
import { providePrograms } from "./programs.ts";

/** What a vtgate serves: keyspaces with their shards, such as `-80` and `80-`. */
export interface Topology {
  readonly keyspaces: Readonly<Record<string, readonly string[]>>;
  /** Has a folder for each keyspace, with its `vschema.json`; undefined: no keyspace has one. */
  readonly schemaFolder?: string;
}

/** One keyspace; tests create others. */
const alone: Topology = { keyspaces: { main: ["0"] } };

/** What deploy/vitess says, with the keyspace of partners on four shards. */
export const divided: Topology = {
  keyspaces: { global: ["0"], assess: ["-40", "40-80", "80-c0", "c0-"] },
  schemaFolder: resolve("deploy/vitess"),
};

export type Vtcombo = Awaited<ReturnType<typeof startVtcombo>>;

/** The database of a shard. */
export function shardDatabase(keyspace: string, shard: string): string {
  return `vt_${keyspace}_${shard}`;
}

/** Starts Vitess over a MySQL server, whose databases `vt_…` are its. Throws where its program cannot be had. */
export async function startVtcombo(mysql: { readonly url: string }, topology = alone) {
  const { vtcombo } = await providePrograms(["vtcombo"], () => undefined);
  const folder = await mkdtemp(join(tmpdir(), "pas-vitess-"));
  const admin = await createConnection(mysql.url);
  for (const [keyspace, shards] of Object.entries(topology.keyspaces)) {
    for (const shard of shards) await admin.query("CREATE DATABASE IF NOT EXISTS ??", [shardDatabase(keyspace, shard)]);
  }
  await admin.end();
  // Over TCP its tablets would set up replication between themselves, which vtcombo cannot do.
  const socket = join(folder, "mysql.sock");
  const relay = createServer((local) => {
    const { port, hostname } = new URL(mysql.url);
    const remote = connect(Number(port), hostname);
    for (const end of [local, remote]) {
      end.on("error", () => {
        local.destroy();
        remote.destroy();
      });
    }
    local.pipe(remote).pipe(local);
  }).listen(socket);
  const port = await freePort();
  const options = [...settings({ port, httpPort: await freePort(), socket }), ...topologySettings(topology)];
  const url = `mysql://root@127.0.0.1:${port}`;
  const part = createPart("vtcombo", [vtcombo, ...options], folder, () => answersSql(url));
  await part.start();
  return {
    /** For an administrator: each database that is created is an unsharded keyspace of its own. */
    url,
    async stop() {
      await part.end();
      relay.close();
      await rm(folder, { recursive: true });
    },
  };
}

function topologySettings({ keyspaces, schemaFolder }: Topology): string[] {
  const texts = Object.entries(keyspaces).map(([name, shards]) => {
    const places = shards.map((shard) => `shards:{name:"${shard}"}`).join(" ");
    return `keyspaces:{name:"${name}" ${places} replica_count:1}`;
  });
  return [`--proto-topo=${texts.join(" ")}`, ...(schemaFolder === undefined ? [] : [`--schema-dir=${schemaFolder}`])];
}

function settings({ port, httpPort, socket }: { port: number; httpPort: number; socket: string }): string[] {
  const users = ["app", "dba", "allprivs", "repl", "filtered", "appdebug"].map((role) => `--db-${role}-user=root`);
  return [
    "--cell=test",
    ...users,
    `--db-socket=${socket}`,
    "--db-charset=utf8mb4",
    "--mycnf-server-id=1",
    "--dbddl-plugin=vttest",
    "--enable-direct-ddl",
    "--enable-system-settings",
    "--mysql-auth-server-impl=none",
    "--mysql-server-bind-address=127.0.0.1",
    `--mysql-server-port=${port}`,
    "--mysql-server-version=9.7.0-Vitess",
    "--bind-address=127.0.0.1",
    `--port=${httpPort}`,
    "--tablet-types-to-wait=PRIMARY",
    "--gateway-initial-tablet-timeout=2s",
    "--tablet-refresh-interval=1s",
    // Of each keyspace, of which there is one for each test file.
    "--queryserver-config-pool-size=8",
    "--queryserver-config-transaction-cap=40",
    "--queryserver-config-stream-pool-size=4",
  ];
}
