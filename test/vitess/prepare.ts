// Vitess for a run: vtcombo over MySQL 9.7, or the programs of a cluster.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMysql97 } from "../support/databases/servers/mysql97.ts";
import { provideMysqlRoot } from "../support/databases/servers/mysql97-root.ts";
import type { Prepared } from "../support/run/suite.ts";
import { clusterPrograms, etcdVersion, providePrograms, vitessVersion } from "./programs.ts";
import { type divided, provideVtcombo, startVtcombo } from "./vtcombo.ts";

const say = (line: string) => console.log(line);

/** One process that has all of Vitess: one shard, or the topology that is given. */
export async function prepareVtcombo(topology?: typeof divided): Promise<Prepared> {
  const path = await provideVtcombo(say);
  const mysql = await startMysql97({ log: say, options: ["--max-connections=8000"] });
  const folder = await mkdtemp(join(tmpdir(), "pas-vitess-"));
  const vtcombo = await startVtcombo(path, new URL(mysql.url), folder, topology);
  const finish = async () => {
    await vtcombo.stop();
    await rm(folder, { recursive: true });
    await mysql.stop();
  };
  const database = topology === undefined ? "" : "/@primary";
  return { environment: { TEST_DATABASE_URL: `${vtcombo.url}${database}` }, finish };
}

/** Each test makes a cluster of processes by itself. */
export async function prepareCluster(): Promise<Prepared> {
  await providePrograms(clusterPrograms, say);
  await provideMysqlRoot(say);
  say(`Vitess ${vitessVersion}, etcd ${etcdVersion}, MySQL 9.7`);
  return {};
}
