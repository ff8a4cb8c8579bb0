// Metrics of the database's clock, as this process judges it.
import { Gauge, type Registry } from "prom-client";

const reasons = ["stepped", "disagrees"] as const;

/** Why the clock is in doubt. */
export type DoubtReason = (typeof reasons)[number];

/** Tells why it is, in the registers; undefined: it is not. */
export function createClockMetrics(registers: Registry[]): (reason: DoubtReason | undefined) => void {
  const doubts = new Gauge({
    name: "pas_clock_doubted",
    help: "1 while the clock of the database is in doubt for a reason (stepped, disagrees), else 0",
    labelNames: ["reason"],
    aggregator: "max",
    registers,
  });
  return (doubted) => {
    for (const reason of reasons) doubts.set({ reason }, doubted === reason ? 1 : 0);
  };
}
