// Cold start: from the start of the process to the first 200 of /readyz; and the memory that it has at rest.
import { setTimeout as pause } from "node:timers/promises";
import { startPas } from "../../support/processes/command.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { isServed } from "../../support/processes/loopback.ts";
import type { Bench, SectionResult } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { residentBytes } from "../servers/process-usage.ts";
import { serviceEnvironment, startService } from "../servers/service.ts";

const pollMs = 5;
const startTimeoutMs = 30_000;
/** How long the service is left alone before its memory at rest is read. */
const restMs = 3_000;
const megabyte = 1_000_000;

/** Measures starts on a migrated database, and memory at rest. */
export async function measureStart({ options, server }: Bench): Promise<SectionResult> {
  await using servers = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  servers.defer(() => database.drop());
  const startSeconds: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) startSeconds.push(await coldStart(database));

  const service = await startService(database);
  servers.defer(() => service.stop());
  await pause(restMs);
  const rest = residentBytes(service.pid) / megabyte;
  const rows = [
    ["start to ready, s", figure(median(startSeconds))],
    ["resident memory at rest, MB", figure(rest)],
  ];
  return {
    tables: [{ title: "Cold start and memory", head: ["", "measured"], rows }],
    figures: { "start.seconds": median(startSeconds), "start.restMb": rest },
    rounds: { seconds: startSeconds },
  };
}

async function coldStart(database: BenchDatabase): Promise<number> {
  const port = await freePort();
  const from = performance.now();
  const running = startPas(["serve"], {
    ...serviceEnvironment,
    DATABASE_URL: database.url,
    HTTP_PORT: String(port),
    GRPC_PORT: "0",
  });
  try {
    while (!(await isServed(`http://127.0.0.1:${port}/readyz`))) {
      if (performance.now() - from > startTimeoutMs) throw new Error(`no start: ${running.output().stderr}`);
      await pause(pollMs);
    }
    return (performance.now() - from) / 1000;
  } finally {
    running.kill("SIGTERM");
    await running.ended;
  }
}
