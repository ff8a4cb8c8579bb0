// Closed-loop load: each client starts its next unit of work when the one before has ended.
import { percentile } from "../report/statistics.ts";
import type { LoadReport } from "./orders.ts";

/** One caller. */
export interface Client {
  /** Does one unit of work; false where there is nothing left to do. */
  run(): Promise<boolean>;
  close(): void;
}

/** Lets all clients work for the time. Each does one unit first, so that connections and statements are warm. */
export async function drive(clients: readonly Client[], seconds: number): Promise<LoadReport> {
  const latencies: number[] = [];
  let total = 0;
  await Promise.all(clients.map(async (client) => (total += (await client.run()) ? 1 : 0)));
  const start = performance.now();
  const end = start + seconds * 1000;
  let lastEnd = start;
  const work = async (client: Client): Promise<void> => {
    for (let from = start; from < end; from = performance.now()) {
      if (!(await client.run())) return;
      const to = performance.now();
      total += 1;
      if (to <= end) {
        latencies.push(to - from);
        lastEnd = to;
      }
    }
  };
  await Promise.all(clients.map(work));
  const isUsedUp = performance.now() < end;
  return {
    completed: latencies.length,
    total,
    seconds: isUsedUp ? (lastEnd - start) / 1000 : seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}
