// How many connections to the database a process should have at most: services that differ in that alone, in turns.
import type { Bench, SectionResult } from "../bench.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { type Service, startService } from "../servers/service.ts";
import { measureServices } from "./service-turns.ts";

const poolSizes = [2, 4, 8, 16, 32];

/** Measures each size. Each service has a database of its own: else one did the jobs of all. */
export async function measureConnections(bench: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const services: Record<string, Service> = {};
  for (const size of poolSizes) {
    const database = await createBenchDatabase(bench.server);
    started.defer(() => database.drop());
    const service = await startService(database, [], { DATABASE_POOL_SIZE: String(size) });
    services[`${size} connections`] = service;
    started.defer(() => service.stop());
  }
  return await measureServices(bench, services, "16 connections", "connections");
}
