// Everything that runs on Vitess: npm run test:vitess. --one and --shards: the tests of the store and the contract through
// vtcombo alone, on one shard or on four. --cluster: the service on a cluster of processes alone. Where Go, its modules or
// MySQL cannot be had it says so; that is a failure with --release. Other arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMysql97 } from "../support/databases/servers/mysql97.ts";
import { provideMysqlRoot } from "../support/databases/servers/mysql97-root.ts";
import { clusterPrograms, etcdVersion, providePrograms, vitessVersion } from "./programs.ts";
import { divided, provideVtcombo, startVtcombo } from "./vtcombo.ts";

/** Each leg, by the argument that asks for it alone. */
const legs = {
  "--one": () => onVtcombo(["vitess", "vitess-alone"], undefined, ""),
  "--shards": () => onVtcombo(["vitess-shards"], divided, "/@primary"),
  "--cluster": onCluster,
};

const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== "--release" && !(arg in legs));
const isAsked = (leg: string) => args.includes(leg) || !args.some((arg) => arg in legs);
const say = (line: string) => console.log(line);
for (const [name, run] of Object.entries(legs)) {
  if (!isAsked(name)) continue;
  const lacks = await run().catch((error: Error) => error.message);
  if (lacks === undefined) continue;
  console.log(`\n!!! NOT TESTED ON VITESS ${vitessVersion} (${name}): ${lacks.trim().slice(0, 300)}`);
  if (args.includes("--release")) process.exitCode = 1;
}

/** @returns what it lacks, if so */
async function onVtcombo(projects: readonly string[], topology: typeof divided | undefined, database: string) {
  const path = await provideVtcombo(say);
  const mysql = await startMysql97({ log: say, maxConnections: 8_000 });
  if ("unavailable" in mysql) return mysql.unavailable;
  const folder = await mkdtemp(join(tmpdir(), "pas-vitess-"));
  const vtcombo = await startVtcombo(path, new URL(mysql.url), folder, topology);
  await vitest(projects, { TEST_DATABASE_URL: `${vtcombo.url}${database}` });
  await vtcombo.stop();
  await rm(folder, { recursive: true });
  await mysql.stop();
  return undefined;
}

/** @returns what it lacks, if so */
async function onCluster() {
  await providePrograms(clusterPrograms, say);
  await provideMysqlRoot(say);
  say(`Vitess ${vitessVersion}, etcd ${etcdVersion}, MySQL 9.7; what each part takes of the machine is printed`);
  await vitest(["vitess-cluster"], {});
  return undefined;
}

async function vitest(projects: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const command = ["run", ...projects.map((name) => `--project=${name}`), ...rest];
  const running = spawn("vitest", command, { stdio: "inherit", env: { ...process.env, ...environment } });
  const stop = () => running.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const [code] = await once(running, "exit");
  process.exitCode = process.exitCode || (code ?? 1);
}
