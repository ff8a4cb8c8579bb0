// Metrics of the way from a gateway to its core.
import type { Registry } from "prom-client";
import { Timings } from "../timings.ts";

/** Counts a call of the core, with its seconds. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

/** The histogram, in the registers: rpcs of the code by the 17 codes of gRPC. */
export function createCoreMetrics(registers: Registry[]): ObserveCoreCall {
  const calls = new Timings({
    name: "pas_core_calls_seconds",
    help: "Calls of a gateway to its core by rpc and code of gRPC",
    labelNames: ["rpc", "code"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10],
    registers,
  });
  return (rpc, code, seconds) => calls.observe([rpc, code], seconds);
}
