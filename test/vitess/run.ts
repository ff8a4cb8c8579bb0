// The tests of the store and the contract, every statement through Vitess: npm run test:vitess. Where Go, its modules or
// MySQL cannot be had it says so; that is a failure with --release. Other arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMysql97 } from "../support/databases/servers/mysql97.ts";
import { divided, provideVtcombo, startVtcombo, vitessVersion } from "./vtcombo.ts";

/** Each project, and the Vitess that it runs on: keyspaces of one shard for each file, and those of deploy/vitess. */
const legs = [
  { projects: ["vitess", "vitess-alone"], topology: undefined, database: "" },
  { projects: ["vitess-shards"], topology: divided, database: "/@primary" },
];

const args = process.argv.slice(2);
const own = ["--release", "--one", "--shards"];
const rest = args.filter((arg) => !own.includes(arg));
const asked = legs.filter(({ topology }) => !args.includes(topology === undefined ? "--shards" : "--one"));
const say = (line: string) => console.log(line);
const path = await provideVtcombo(say).catch((error: Error) => error);
const mysql = await startMysql97({ log: say, maxConnections: 8_000 });
const lacks =
  path instanceof Error ? path.message.slice(0, 300) : "unavailable" in mysql ? mysql.unavailable : undefined;
if (path instanceof Error || "unavailable" in mysql) {
  console.log(`\n!!! NOT TESTED ON VITESS ${vitessVersion}: ${lacks}`);
  process.exitCode = args.includes("--release") ? 1 : 0;
} else {
  for (const { projects, topology, database } of asked) {
    const folder = await mkdtemp(join(tmpdir(), "pas-vitess-"));
    const vtcombo = await startVtcombo(path, new URL(mysql.url), folder, topology);
    const command = ["run", ...projects.map((name) => `--project=${name}`), ...rest];
    const vitest = spawn("vitest", command, {
      stdio: "inherit",
      env: { ...process.env, TEST_DATABASE_URL: `${vtcombo.url}${database}` },
    });
    const stop = () => vitest.kill("SIGTERM");
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    const [code] = await once(vitest, "exit");
    process.exitCode = process.exitCode || (code ?? 1);
    await vtcombo.stop();
    await rm(folder, { recursive: true });
  }
}
if ("stop" in mysql) await mysql.stop();
