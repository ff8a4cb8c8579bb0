// node tools/house/request-paths.ts [--list]: how many files of src a request runs through, by V8's coverage of the service in one
// process on the embedded database. Writes request-paths.json.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { sessionIdOf } from "../../test/bench/load/answers.ts";
import { openConnection } from "../../test/bench/load/connection.ts";
import type { OperationName } from "../../test/bench/load/orders.ts";
import { createBenchDatabase } from "../../test/bench/servers/bench-database.ts";
import { startDatabaseServer } from "../../test/bench/servers/database-server.ts";
import { startService } from "../../test/bench/servers/service.ts";

/** A file counts if a function of it ran in each of so many requests: jobs beside them do not run in all. */
const repeats = 40;
/** What a process does for its first requests only. */
const warmUps = 5;
/** What ends after the response, such as the log line. */
const settleMs = 10;

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

const root = `${pathToFileURL(process.cwd())}/`;
const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
await using started = new AsyncDisposableStack();
const server = await startDatabaseServer("embedded", (line) => console.log(line));
started.defer(() => server.stop());
const database = await createBenchDatabase(server);
started.defer(() => database.drop());
const service = await startService(database, ["--inspect=127.0.0.1:0"]);
started.defer(() => service.stop());
const inspector = await inspect(service.inspectorUrl);
started.defer(async () => inspector.close());

const connections = { rest: openConnection(service.target("rest")), grpc: openConnection(service.target("grpc")) };
started.defer(async () => Object.values(connections).forEach((connection) => void connection.close()));
const paths = {
  "record answers, REST": await filesOf("rest", "record"),
  "record answers, gRPC": await filesOf("grpc", "record"),
  "complete, REST": await filesOf("rest", "complete"),
};
const counts = Object.fromEntries(Object.entries(paths).map(([name, files]) => [name, files.length]));
writeFileSync("tools/house/request-paths.json", `${JSON.stringify(counts, null, 2)}\n`);
for (const [name, files] of Object.entries(paths)) {
  console.log(`${name}: ${files.length}`);
  if (values.list) for (const file of files) console.log(`  ${file}`);
}

/** The files of src, without generated ones, that an operation runs through. */
async function filesOf(transport: keyof typeof connections, operation: OperationName): Promise<readonly string[]> {
  const connection = connections[transport];
  let common: ReadonlySet<string> | undefined;
  for (let turn = -warmUps; turn < repeats; turn += 1) {
    const id = sessionIdOf(await connection.send("create", `${transport}-${operation}-${turn}`));
    if (operation === "complete") await connection.send("record", id);
    await sleep(settleMs);
    await inspector.covered();
    await connection.send(operation, id);
    await sleep(settleMs);
    const files = await inspector.covered();
    if (turn >= 0) common = common?.intersection(files) ?? files;
  }
  return [...(common ?? [])].toSorted();
}

async function inspect(inspectorUrl: string) {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, "open");
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
    const [message] = (await once(socket, "message")) as [{ readonly data: string }];
    return JSON.parse(message.data).result as { readonly result: readonly ScriptCoverage[] };
  };
  await ask("Profiler.enable");
  await ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    close: () => socket.close(),
    /** Files of which a function has run since this was asked last. */
    async covered(): Promise<ReadonlySet<string>> {
      const { result } = await ask("Profiler.takePreciseCoverage");
      const hasRun = ({ functions }: ScriptCoverage) =>
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
      const files = result.filter(hasRun).flatMap(({ url }) => (url.startsWith(root) ? [url.slice(root.length)] : []));
      return new Set(files.filter((file) => /^src\/(?!gen\/)/.test(file)));
    },
  };
}
