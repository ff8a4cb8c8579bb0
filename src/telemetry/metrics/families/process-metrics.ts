// Metrics of the process itself: what runs, and what runs out.
import { Gauge, type Registry } from "prom-client";
import { releaseVersion } from "../../../kernel/release.ts";

export interface ProcessFacts {
  /** Of the source that runs; undefined if nobody said. */
  readonly revision?: string | undefined;
  /** When the certificates that this process shows expire, in milliseconds since 1970, by what shows them. */
  readonly certificates?: Readonly<Record<string, number>>;
}

/** Adds the metrics of the process to the registers. */
export function addProcessMetrics(
  registers: Registry[],
  { revision = "unknown", certificates = {} }: ProcessFacts,
): void {
  new Gauge({
    name: "pas_build_info",
    help: "1, with the version of the release that runs, and the revision of its source",
    labelNames: ["version", "revision"],
    aggregator: "max",
    registers,
  }).set({ version: releaseVersion, revision }, 1);
  new Gauge({
    name: "pas_tls_expiry_seconds",
    help: "Time until a certificate of this process expires, by what shows it (grpc, gateway)",
    labelNames: ["certificate"],
    aggregator: "min",
    registers,
    collect() {
      for (const [certificate, at] of Object.entries(certificates)) this.set({ certificate }, (at - Date.now()) / 1000);
    },
  });
}
