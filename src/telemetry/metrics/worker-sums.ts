// The metrics of several processes as those of one.
import { AggregatorRegistry, type Registry } from "prom-client";
import type { MetricsSnapshot } from "./exposition.ts";

/**
 * What workers told last, and what those told that have ended: a sum without it would fall, and a counter that falls
 * looks like a process that has begun anew and counted all of it at once.
 */
export class WorkerSums {
  readonly #reported = new Map<number, MetricsSnapshot>();
  #ended: MetricsSnapshot = [];

  /** Notes what a worker tells. */
  tell(worker: number, snapshot: MetricsSnapshot): void {
    this.#reported.set(worker, snapshot);
  }

  /**
   * Keeps what a worker that has ended has counted, and forgets the worker. What it counted since it told last is lost.
   */
  async end(worker: number): Promise<void> {
    const reported = this.#reported.get(worker);
    this.#reported.delete(worker);
    if (reported === undefined) return;
    const counted = reported.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
    this.#ended = await sumOf([this.#ended, counted]).getMetricsAsJSON();
  }

  /** All of it with the metrics of the process that adds up, which alone says since when there is anything. */
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
