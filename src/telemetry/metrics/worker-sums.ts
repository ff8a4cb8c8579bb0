// The metrics of several processes as those of one.
import { AggregatorRegistry, type Registry } from "prom-client";
import type { MetricsSnapshot } from "./exposition.ts";

/**
 * The last reports of workers, also of ended ones: without those the sum would drop, and a counter that drops
 * looks like a process that has restarted and counted everything at once.
 */
export class WorkerSums {
  readonly #reported = new Map<number, MetricsSnapshot>();
  #ended: MetricsSnapshot = [];

  /** Stores the report of a worker. */
  tell(worker: number, snapshot: MetricsSnapshot): void {
    this.#reported.set(worker, snapshot);
  }

  /**
   * Keeps the counts of an ended worker, and removes the worker. Counts since its last report are lost.
   */
  async end(worker: number): Promise<void> {
    const reported = this.#reported.get(worker);
    this.#reported.delete(worker);
    if (reported === undefined) return;
    const counted = reported.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
    this.#ended = await sumOf([this.#ended, counted]).getMetricsAsJSON();
  }

  /** The sums with the metrics of the primary, whose start time is reported as that of the process. */
  async text(own: MetricsSnapshot): Promise<{ contentType: string; text: string }> {
    const sum = sumOf([own, ...this.#reported.values(), this.#ended]);
    const start = own.find(({ name }) => name === "process_start_time_seconds");
    if (start !== undefined) sum.registerMetric({ ...start, get: async () => start } as never);
    return { contentType: sum.contentType, text: await sum.metrics() };
  }
}

function sumOf(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}
