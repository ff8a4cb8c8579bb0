// Programs that nobody here wrote judge the service. With --short they look at less. A program that cannot be had is
// named at the end, and is a failure with --release. Other arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Extent, variableOf } from "./support/means.ts";
import { programNames, provideProgram } from "./support/programs.ts";

const args = process.argv.slice(2);
const own = ["--short", "--release"];
const extent: Extent = args.includes("--short") ? "short" : "full";
const environment: NodeJS.ProcessEnv = { ...process.env, OUTSIDERS_EXTENT: extent };
const missing: string[] = [];
for (const name of programNames) {
  try {
    environment[variableOf(name)] = await provideProgram(name, (line) => console.log(line));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    missing.push(
      `${name}: ${reason
        .trim()
        .replaceAll(/\s*\n\s*/g, " | ")
        .slice(0, 300)}`,
    );
  }
}
const rest = args.filter((arg) => !own.includes(arg));
const command = ["run", "--config", "test/outsiders/vitest.config.ts", "--reporter=verbose", ...rest];
const vitest = spawn("vitest", command, { stdio: "inherit", env: environment });
const stop = () => vitest.kill("SIGTERM");
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
const [code] = await once(vitest, "exit");
for (const line of missing) console.log(`!!! NOT JUDGED BY ${line}`);
process.exitCode = code === 0 && (missing.length === 0 || !args.includes("--release")) ? 0 : 1;
