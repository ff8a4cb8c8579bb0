// Metrics of the database's work, as this process sees it.
import type { Registry } from "prom-client";
import type { StoreObserver } from "../../../database/observation.ts";
import { Timings } from "../timings.ts";

/** The metrics of statements and waits, in the registers. Statements are those of the code, by verb and table. */
export function createDatabaseMetrics(registers: Registry[]): StoreObserver {
  const statements = new Timings({
    name: "pas_statements_seconds",
    help: "Statements of the database by verb and first table, from sending to the result, lost ones included",
    labelNames: ["statement"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    registers,
  });
  const waits = new Timings({
    name: "pas_pool_wait_seconds",
    help: "Time until a connection of the database pool was there, or none was",
    labelNames: [],
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 5],
    registers,
  });
  const elapsed = (startedAt: number) => (performance.now() - startedAt) / 1000;
  return {
    beginWait() {
      const startedAt = performance.now();
      return () => waits.observe([], elapsed(startedAt));
    },
    beginStatement(statement) {
      const startedAt = performance.now();
      return () => statements.observe([statement], elapsed(startedAt));
    },
  };
}
