// Vitess as it is run: etcd, vtctld, a vtgate, and for each shard a tablet with a MySQL server of its own. All on loopback.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../support/processes/free-port.ts";
import { isServed } from "../../support/processes/loopback.ts";
import { answersSql, createPart } from "../part.ts";
import { clusterPrograms, providePrograms } from "../programs.ts";
import { aliasOf, cell, startTablet, type Tablet } from "./tablet.ts";

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const firstUid = 100;

export async function startCluster(say: (line: string) => void) {
  const programs = await providePrograms(clusterPrograms, say);
  const folder = await mkdtemp(join(tmpdir(), "pas-cluster-"));
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const etcdAddress = `127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const etcd = createPart(
    "etcd",
    [
      programs.etcd,
      `--data-dir=${folder}/etcd`,
      `--listen-client-urls=http://${etcdAddress}`,
      `--advertise-client-urls=http://${etcdAddress}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
    folder,
    () => isServed(`http://127.0.0.1:${clientPort}/health`),
  );
  const topology = [
    "--topo-implementation=etcd2",
    `--topo-global-server-address=${etcdAddress}`,
    "--topo-global-root=/vitess/global",
  ];
  const [controlPort, controlGrpcPort] = [await freePort(), await freePort()];
  const vtctld = createPart(
    "vtctld",
    [
      programs.vtctld,
      ...topology,
      `--cell=${cell}`,
      "--service-map=grpc-vtctl,grpc-vtctld",
      "--bind-address=127.0.0.1",
      `--port=${controlPort}`,
      "--grpc-bind-address=127.0.0.1",
      `--grpc-port=${controlGrpcPort}`,
      "--mysql-server-version=9.7.0-Vitess",
    ],
    folder,
    () => isServed(`http://127.0.0.1:${controlPort}/debug/status`),
  );
  const [mysqlPort, gatePort] = [await freePort(), await freePort()];
  const root = `mysql://root@127.0.0.1:${mysqlPort}`;
  const vtgate = createPart(
    "vtgate",
    [
      programs.vtgate,
      ...topology,
      `--cell=${cell}`,
      `--cells-to-watch=${cell}`,
      "--tablet-types-to-wait=PRIMARY",
      "--mysql-auth-server-impl=none",
      "--mysql-server-bind-address=127.0.0.1",
      `--mysql-server-port=${mysqlPort}`,
      "--mysql-server-version=9.7.0-Vitess",
      "--bind-address=127.0.0.1",
      `--port=${gatePort}`,
      // It holds requests back while a shard is divided or gets another primary, for less than a call of the service may take.
      "--enable-buffer",
      "--buffer-window=4s",
      "--buffer-max-failover-duration=8s",
      // A tablet that comes back is asked again so soon at the latest.
      "--healthcheck-timeout=3s",
      "--buffer-min-time-between-failovers=1s",
    ],
    folder,
    () => answersSql(root),
  );
  /** Runs vtctldclient, and resolves with what it prints. */
  const vtctl = async (...args: string[]) => {
    const command = [`--server=127.0.0.1:${controlGrpcPort}`, ...args];
    const { stdout } = await promisify(execFile)(programs.vtctldclient, command, { maxBuffer: 64 << 20 });
    return stdout;
  };
  const tablets: Tablet[] = [];
  const addTablet = async (keyspace: string, shard: string) => {
    const uid = firstUid + tablets.length;
    const own = join(folder, aliasOf(uid));
    await mkdir(own);
    const tablet = await startTablet({ program: programs.vttablet, folder: own, topology, keyspace, shard, uid });
    tablets.push(tablet);
    return tablet;
  };
  await etcd.start();
  await vtctld.start();
  await vtctl("AddCellInfo", "--root=/vitess/zone1", `--server-address=${etcdAddress}`, cell);
  for (const keyspace of ["global", "assess"]) {
    await vtctl("CreateKeyspace", "--durability-policy=none", keyspace);
    await vtctl("ApplyVSchema", `--vschema-file=${resolve("deploy/vitess", keyspace, "vschema.json")}`, keyspace);
  }
  return {
    /** The vtgate with all its keyspaces. */
    url: `${root}/@primary`,
    folder,
    parts: { etcd, vtctld, vtgate },
    tablets,
    /** What a vttablet is told of the topology, and its program. */
    topology,
    vttablet: programs.vttablet,
    vtctl,
    /** Starts a tablet and makes it the primary of its shard. */
    async addShard(keyspace: string, shard: string) {
      const tablet = await addTablet(keyspace, shard);
      await vtctl("PlannedReparentShard", `${keyspace}/${shard}`, `--new-primary=${tablet.alias}`);
      return tablet;
    },
    /** Starts a further tablet of a shard, which follows its primary. */
    addReplica: addTablet,
    async stop() {
      for (const part of [vtgate, ...tablets.map((tablet) => tablet.part), vtctld, etcd]) await part.end();
      for (const { mysql } of tablets) await mysql.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
