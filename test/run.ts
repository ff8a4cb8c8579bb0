// The test command: every test on both database servers, and a last line that counts them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { startMysql97 } from "./support/mysql97.ts";

const resultsFile = ".vitest/results.json";

const mysql = await startMysql97({ log: (line) => console.log(line) });
const env = "url" in mysql ? { ...process.env, TEST_DATABASE_URL: mysql.url } : process.env;
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
const vitest = spawn("vitest", ["run", "--project=!loop", ...reporters, ...process.argv.slice(2)], {
  stdio: "inherit",
  env,
});
const stop = () => vitest.kill("SIGTERM");
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
const [code] = await once(vitest, "exit");
if ("url" in mysql) await mysql.stop();
else console.log(`\n!!! NOT TESTED ON MYSQL 9.7: ${mysql.unavailable}\n!!! Only the first database server was tested.`);
const { numPassedTests, numFailedTests } = JSON.parse(await readFile(resultsFile, "utf8"));
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exitCode = code === 0 && numFailedTests === 0 ? 0 : 1;
