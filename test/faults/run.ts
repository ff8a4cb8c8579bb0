// The fault harness: every fault on every database that can be had here, the figures, and a last line that counts.
// With --short it does less of everything, for continuous integration. Other arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { provideMysqlRoot } from "../support/databases/servers/mysql97-root.ts";
import { provide } from "../support/programs.ts";
import type { Means } from "./support/run/means.ts";

const folder = ".vitest";
const resultsFile = `${folder}/faults.json`;
const reportFile = `${folder}/faults.txt`;

const args = process.argv.slice(2);
const missing: string[] = [];
await mkdir(folder, { recursive: true });
await rm(resultsFile, { force: true });
await writeFile(reportFile, "");
const say = (line: string) => console.log(line);
const mysqlRoot = await orMissing("on MySQL 9.7 and its clusters", provideMysqlRoot(say));
const haproxy = mysqlRoot === "" ? "" : await orMissing("on a cluster", provide("haproxy"));
const means: Means = {
  FAULTS: args.includes("--short") ? "short" : "full",
  FAULTS_REPORT: reportFile,
  FAULTS_MYSQL_ROOT: mysqlRoot,
  FAULTS_HAPROXY: haproxy,
};
const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile.json=${resultsFile}`];
const rest = args.filter((arg) => arg !== "--short");
const command = ["run", "--config", "test/faults/vitest.config.ts", ...reporters, ...rest];
const vitest = spawn("vitest", command, { stdio: "inherit", env: { ...process.env, ...means } });
const stop = () => vitest.kill("SIGTERM");
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
const [code] = await once(vitest, "exit");
console.log(`\nFigures\n${await readFile(reportFile, "utf8")}`);
for (const line of missing) console.log(`!!! NOT TESTED ${line}`);
const { numPassedTests, numFailedTests } = JSON.parse(await readFile(resultsFile, "utf8"));
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exitCode = code === 0 && numFailedTests === 0 ? 0 : 1;

async function orMissing(what: string, means: Promise<string>): Promise<string> {
  try {
    return await means;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    missing.push(`${what}: ${reason.trim().replaceAll(/\s*\n\s*/g, " | ")}`);
    return "";
  }
}
