// The whole assessment: create, record 152 answers, complete, read results, over each transport.
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";
import { measureServices } from "./service-turns.ts";

/** Measures the transports of the options, one after the other. */
export async function measureWhole(bench: Bench): Promise<SectionResult> {
  await using servers = new AsyncDisposableStack();
  const database = await createBenchDatabase(bench.server);
  servers.defer(() => database.drop());
  const service = await startService(database, nodeOptionsOf(bench.options, "service"));
  servers.defer(() => service.stop());
  return await measureServices(bench, { service }, "service", "whole");
}
