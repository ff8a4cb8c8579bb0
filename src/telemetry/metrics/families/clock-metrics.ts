// Metrics of the database's clock, as this process judges it.
import { Gauge, type Registry } from "prom-client";
import { type ClockDoubt, clockDoubtReasons } from "../../../kernel/trusted-clock.ts";

/** Tells what is in doubt, in the registers; undefined: nothing. */
export function createClockMetrics(registers: Registry[]): (doubt: ClockDoubt | undefined) => void {
  const doubts = new Gauge({
    name: "pas_clock_doubted",
    help: "1 while the clock of the database is in doubt for a reason (stepped, unseen, disagrees), else 0",
    labelNames: ["reason"],
    aggregator: "max",
    registers,
  });
  return (doubt) => {
    for (const reason of clockDoubtReasons) doubts.set({ reason }, doubt?.reason === reason ? 1 : 0);
  };
}
