// Creates metrics of one registry, each with its name, help text and label names.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type Meters = ReturnType<typeof createMeters>;

export function createMeters(registry: Registry) {
  const registers = [registry];
  return {
    createCounter<L extends string = never>(name: string, help: string, labelNames: L[] = []) {
      return new Counter<L>({ name, help, labelNames, registers });
    },
    /** @param collect sets the gauge at each scrape */
    createGauge<L extends string = never>(
      name: string,
      help: string,
      labelNames: L[] = [],
      collect?: (this: Gauge<L>) => void,
    ) {
      return new Gauge<L>({ name, help, labelNames, registers, ...(collect && { collect }) });
    },
    /** @param buckets upper bounds, in the unit of the name */
    createHistogram<L extends string = never>(name: string, help: string, buckets: number[], labelNames: L[] = []) {
      return new Histogram<L>({ name, help, buckets, labelNames, registers });
    },
  };
}
