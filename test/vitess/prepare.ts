// Vitess for a run: vtcombo over MySQL 9.7, or the programs of a cluster.
import { startMysql97 } from "../support/databases/servers/mysql97.ts";
import { provideMysqlRoot } from "../support/databases/servers/mysql97-root.ts";
import type { Prepared } from "../support/run/suite.ts";
import { clusterPrograms, etcdVersion, providePrograms, vitessVersion } from "./programs.ts";
import { type divided, startVtcombo } from "./vtcombo.ts";

const say = (line: string) => console.log(line);

/** One process that has all of Vitess: one shard, or the topology that is given. */
export async function prepareVtcombo(topology?: typeof divided): Promise<Prepared> {
  await providePrograms(["vtcombo"], say);
  const mysql = await startMysql97({ log: say, options: ["--max-connections=8000"] });
  const vtcombo = await startVtcombo(mysql, topology);
  const finish = async () => {
    await vtcombo.stop();
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
