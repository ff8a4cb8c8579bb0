// The test command: projects of vitest.config.ts, and a last line that counts. Without --project it runs those that have
// no command of their own. With --short it runs their short forms (test/short-forms.ts). Other arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startMysql97 } from "./support/databases/servers/mysql97.ts";

const resultsFile = ".vitest/results.json";

const args = process.argv.slice(2);
const options = { project: { type: "string", multiple: true }, short: { type: "boolean" } } as const;
const { values, tokens } = parseArgs({ args, options, strict: false, tokens: true });
const asked = (values.project ?? ["pure", "mariadb"]).map(String);
const forms = asked.map((name) => (values.short === true ? `${name}-short` : name));
const projects = forms.flatMap((name) => [name, `${name}-alone`]);
/** What is not about projects, as it was written. */
const own = new Set(
  tokens.flatMap((token) => {
    if (token.kind !== "option" || !Object.hasOwn(options, token.name)) return [];
    return token.name === "project" && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
  }),
);
const rest = args.filter((_, index) => !own.has(index));

/** Only who asks for this server waits for it. */
const mysql = asked.includes("mysql") ? await startMysql97({ log: (line) => console.log(line) }) : undefined;
const url = mysql !== undefined && "url" in mysql ? mysql.url : undefined;
const env = url === undefined ? process.env : { ...process.env, TEST_DATABASE_URL: url };
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];

const unavailable = mysql !== undefined && "unavailable" in mysql ? mysql.unavailable : undefined;
const isAlone = asked.every((name) => name === "mysql");
process.exitCode = unavailable !== undefined && isAlone ? 0 : await run();
if (mysql !== undefined && "url" in mysql) await mysql.stop();
if (unavailable !== undefined) {
  console.log(`\n!!! NOT TESTED ON MYSQL 9.7: ${unavailable}\n!!! Only the first database server was tested.`);
}

/** Runs the tests that were asked for. @returns the exit code */
async function run(): Promise<number> {
  // A run that is killed would otherwise be counted by the one before it.
  await rm(resultsFile, { force: true });
  const filters = projects.map((name) => `--project=${name}`);
  const vitest = spawn("vitest", ["run", ...filters, ...reporters, ...rest], { stdio: "inherit", env });
  const stop = () => vitest.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const [code] = await once(vitest, "exit");
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(resultsFile, "utf8"));
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
  return code === 0 && numFailedTests === 0 ? 0 : 1;
}
