// What the fault harness needs: MySQL 9.7 and HAProxy where they can be had, and a file for its figures.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { provideMysqlRoot } from "../support/databases/servers/mysql97-root.ts";
import { provide } from "../support/run/programs.ts";
import { type Prepared, reasonOf } from "../support/run/suite.ts";
import type { Means } from "./support/run/means.ts";

const folder = ".vitest";
const reportFile = `${folder}/faults.txt`;

/** Every fault on every database that can be had here. */
export async function prepareFaults(): Promise<Prepared> {
  await mkdir(folder, { recursive: true });
  await writeFile(reportFile, "");
  const missing: string[] = [];
  const orMissing = async (what: string, path: Promise<string>) => {
    try {
      return await path;
    } catch (error) {
      missing.push(`${what}: ${reasonOf(error)}`);
      return "";
    }
  };
  const say = (line: string) => console.log(line);
  const mysqlRoot = await orMissing("on MySQL 9.7 and its clusters", provideMysqlRoot(say));
  const environment: Means = {
    FAULTS_REPORT: reportFile,
    FAULTS_MYSQL_ROOT: mysqlRoot,
    FAULTS_HAPROXY: mysqlRoot === "" ? "" : await orMissing("on a cluster", provide("haproxy")),
  };
  const finish = async () => console.log(`\nFigures\n${await readFile(reportFile, "utf8")}`);
  return { environment, missing, finish };
}
