// The test command: every test that has no command of its own, and a last line that counts them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { startMysql97 } from "./support/databases/mysql97.ts";

const resultsFile = ".vitest/results.json";

const asked = process.argv.slice(2);
const projects = asked.flatMap((word, index) =>
  word.startsWith("--project=") ? [word.slice(10)] : asked[index - 1] === "--project" ? [word] : [],
);
/** Only who asks for this server waits for it. */
const mysql = projects.includes("mysql") ? await startMysql97({ log: (line) => console.log(line) }) : undefined;
const url = mysql !== undefined && "url" in mysql ? mysql.url : undefined;
const env = url === undefined ? process.env : { ...process.env, TEST_DATABASE_URL: url };
/** Projects with commands of their own. */
const withCommands = ["mysql", "loop", "web", "looks", "web-split"].filter((name) => !projects.includes(name));
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];

const unavailable = mysql !== undefined && "unavailable" in mysql ? mysql.unavailable : undefined;
const isAlone = projects.every((name) => name === "mysql");
process.exitCode = unavailable !== undefined && isAlone ? 0 : await run();
if (mysql !== undefined && "url" in mysql) await mysql.stop();
if (unavailable !== undefined) {
  console.log(`\n!!! NOT TESTED ON MYSQL 9.7: ${unavailable}\n!!! Only the first database server was tested.`);
}

/** Runs the tests that were asked for. @returns the exit code */
async function run(): Promise<number> {
  const filters = withCommands.map((name) => `--project=!${name}`);
  const vitest = spawn("vitest", ["run", ...filters, ...reporters, ...asked], { stdio: "inherit", env });
  const stop = () => vitest.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const [code] = await once(vitest, "exit");
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(resultsFile, "utf8"));
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
  return code === 0 && numFailedTests === 0 ? 0 : 1;
}
