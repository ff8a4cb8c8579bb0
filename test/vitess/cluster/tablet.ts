// A tablet: a vttablet, and the MySQL server that is its alone.

import { MysqlNode } from "../../support/databases/servers/mysql-node.ts";
import { provideMysqlRoot } from "../../support/databases/servers/mysql97-root.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { isServed } from "../../support/processes/loopback.ts";
import type { ServerProcess } from "../../support/processes/server-process.ts";
import { createPart } from "../part.ts";

export interface TabletPlace {
  readonly program: string;
  readonly folder: string;
  readonly topology: readonly string[];
  readonly keyspace: string;
  readonly shard: string;
  /** Of the tablet in its cell, and of its MySQL server. */
  readonly uid: number;
}

export interface Tablet extends TabletPlace {
  readonly alias: string;
  readonly mysql: MysqlNode;
  readonly part: ServerProcess;
}

export const cell = "zone1";

/** Starts a server with fresh data and its tablet. */
export async function startTablet(place: TabletPlace): Promise<Tablet> {
  const root = await provideMysqlRoot(() => undefined);
  const mysql = await MysqlNode.create(root, () => [...serverOptions(place.uid)]);
  await mysql.start();
  const part = await createVttablet(place, mysql, ["--db-ROLE-user=root"]);
  await part.start();
  return { ...place, alias: aliasOf(place.uid), mysql, part };
}

export function aliasOf(uid: number): string {
  return `${cell}-${String(uid).padStart(10, "0")}`;
}

/** What a server needs so that rows can be copied from it and replicated, and the least memory. */
export function serverOptions(id: number): readonly string[] {
  return [
    `--server-id=${id}`,
    "--gtid-mode=ON",
    "--enforce-gtid-consistency=ON",
    "--report-host=127.0.0.1",
    "--skip-replica-start",
    "--plugin-load-add=semisync_source.so",
    "--plugin-load-add=semisync_replica.so",
    "--performance-schema=OFF",
    "--innodb-buffer-pool-size=64M",
    "--max-connections=400",
    "--tmpdir=/tmp",
  ];
}

const roles = ["app", "dba", "allprivs", "repl", "filtered", "appdebug"];

/** @param asRole what it is told of its users at the server, for each of their roles. @param more what else it is told */
export async function createVttablet(
  { program, folder, topology, keyspace, shard, uid }: TabletPlace,
  mysql: MysqlNode,
  asRole: readonly string[],
  more: readonly string[] = [],
): Promise<ServerProcess> {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const command = [
    program,
    ...topology,
    `--tablet-path=${aliasOf(uid)}`,
    "--tablet-hostname=127.0.0.1",
    `--init-keyspace=${keyspace}`,
    `--init-shard=${shard}`,
    "--init-tablet-type=replica",
    `--db-socket=${mysql.socket}`,
    ...roles.flatMap((role) => asRole.map((option) => option.replace("ROLE", role))),
    ...more,
    "--db-charset=utf8mb4",
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--grpc-bind-address=127.0.0.1",
    `--grpc-port=${grpcPort}`,
    "--service-map=grpc-queryservice,grpc-tabletmanager,grpc-updatestream",
    "--health-check-interval=1s",
    "--queryserver-config-transaction-timeout=10s",
    "--queryserver-config-pool-size=16",
    "--queryserver-config-stream-pool-size=8",
    "--queryserver-config-transaction-cap=40",
    "--mysql-server-version=9.7.0-Vitess",
  ];
  return createPart(`vttablet-${uid}`, command, folder, () => isServed(`http://127.0.0.1:${port}/debug/status`));
}
