// npm run bench: measures the service on each database server, prints tables, and writes all figures as JSON.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Bench, Section, SectionResult } from "./bench.ts";
import type { LoadReport, Order } from "./load/orders.ts";
import { type Options, readOptions, type SectionName, usage } from "./options.ts";
import { printTable } from "./report/table.ts";
import { holdAgainstTargets, targetTable } from "./report/targets.ts";
import { measureDeliveries } from "./sections/deliveries.ts";
import { measureDisk } from "./sections/disk.ts";
import { measureNeighbours } from "./sections/neighbours.ts";
import { measureReports } from "./sections/reports.ts";
import { measureStart } from "./sections/start.ts";
import { measureVersions } from "./sections/versions.ts";
import { measureWhole } from "./sections/whole.ts";
import { Child } from "./servers/child.ts";
import { type ServerKind, startDatabaseServer } from "./servers/database-server.ts";

const folder = "bench-results";

const sections: Readonly<Record<SectionName, Section>> = {
  whole: measureWhole,
  versions: measureVersions,
  disk: measureDisk,
  neighbours: measureNeighbours,
  deliveries: measureDeliveries,
  start: measureStart,
  reports: measureReports,
};

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function measure(kind: ServerKind, options: Options): Promise<void> {
  await using servers = new AsyncDisposableStack();
  const server = await startDatabaseServer(kind, say);
  servers.defer(() => server.stop());
  const load = new Child<Order, LoadReport>("test/bench/load/process.ts");
  servers.defer(() => load.stop());
  // Without the load the section fails, and what was started is stopped on the way out.
  const interrupt = () => void load.stop();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  const bench: Bench = { options, server, load, say };

  console.log(`\n${server.name}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}`);
  console.log(JSON.stringify(server.settings));
  const results: Partial<Record<SectionName, SectionResult>> = {};
  for (const name of options.sections) {
    say(`${server.name}: ${name}`);
    const result = await sections[name](bench);
    results[name] = result;
    for (const table of result.tables) console.log(printTable(table));
  }
  const figures = Object.assign({}, ...Object.values(results).map((result) => result.figures));
  const outcomes = options.isQuick ? [] : holdAgainstTargets(figures);
  if (outcomes.length > 0) console.log(printTable({ ...targetTable(outcomes), title: `Targets on ${server.name}` }));
  const about = {
    at: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpus: cpus().map((cpu) => cpu.model),
  };
  const database = { name: server.name, settings: server.settings };
  await writeReport(server.name, { ...about, database, options, figures, outcomes, results });
}

async function writeReport(serverName: string, report: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const file = `${folder}/${stamp}-${serverName.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-")}.json`;
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  say(`figures of every round: ${file}`);
}

function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "unknown";
  }
}

if (process.argv.includes("--help")) {
  console.log(usage);
} else {
  const options = readOptions(process.argv.slice(2));
  for (const kind of options.servers) await measure(kind, options);
}
