// Old against new: whole assessments through this commit and through another one, in turns.
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { type Service, startService } from "../servers/service.ts";
import { measureServices } from "./service-turns.ts";

/** Measures both versions. Each has a database of its own: else one did the jobs of both. */
export async function measureVersions(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using servers = new AsyncDisposableStack();
  const services = {} as Record<"old" | "new", Service>;
  for (const [version, checkout] of [["old", options.old] as const, ["new", undefined] as const]) {
    const database = await createBenchDatabase(server, checkout);
    servers.defer(() => database.drop());
    const service = await startService(database, nodeOptionsOf(options, version), {}, checkout);
    services[version] = service;
    servers.defer(() => service.stop());
  }
  return await measureServices(bench, services, "old", "versions");
}
