// `/metrics` of several workers: collected from each, summed, and served by the primary on its own port. The library's
// own collection would wait for ended workers, and counters would drop with every worker that is replaced.
import cluster, { type Worker } from "node:cluster";
import type { Config } from "../../config.ts";
import { receiveTimeoutMs } from "../../process/shared.ts";
import type { Logger } from "../../telemetry/logs/logger.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics/exposition.ts";
import { createMetrics } from "../../telemetry/metrics/metrics.ts";
import { WorkerSums } from "../../telemetry/metrics/worker-sums.ts";
import { createObservers } from "../../telemetry/observers.ts";
import { addMetricsRoute } from "../../transport/http/health-routes.ts";
import { Problem } from "../../transport/http/problem.ts";
import { closeHttp, createHttpServer, listen } from "../../transport/http/server.ts";

/** How long a scrape waits for all workers together: less than Prometheus waits for a scrape. */
const answerTimeoutMs = 5_000;
const drainMs = 1_000;

interface MetricsQuestion {
  readonly metricsAsked: true;
}

interface MetricsAnswer {
  readonly metrics: MetricsSnapshot;
}

interface ServingNote {
  readonly isServing: true;
}

/** Calls `note` when a worker starts to serve. In the primary only. */
export function onServing(note: () => void): void {
  cluster.on("message", (_worker, { isServing }: Partial<ServingNote>) => isServing && note());
}

/** Reports to the primary that this process serves, and answers its requests from now on. In a worker only. */
export function tellPrimary(snapshot: () => Promise<MetricsSnapshot>): void {
  process.on("message", async (message: Partial<MetricsQuestion>) => {
    if (message.metricsAsked !== true) return;
    const answer: MetricsAnswer = { metrics: await snapshot() };
    if (process.connected) process.send?.(answer);
  });
  process.send?.({ isServing: true } satisfies ServingNote);
}

export interface WorkerMetrics {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the sum. In the primary, before it has workers. */
export async function serveWorkerMetrics(config: Config, log: Logger): Promise<WorkerMetrics> {
  const { HOST, METRICS_PORT, METRICS_TOKEN, TRUSTED_PROXIES, REVISION } = config;
  const own = createMetrics(() => ({}), { revision: REVISION });
  const sums = new WorkerSums();
  // A worker is asked only once it serves: before, it does not listen for requests.
  const serving = new Set<Worker>();
  cluster.on("listening", (worker) => serving.add(worker));
  cluster.on("disconnect", (worker) => {
    if (serving.delete(worker)) void sums.end(worker.id);
  });
  let asking: Promise<unknown> | undefined;
  const answer = async () => {
    asking ??= Promise.all([...serving].map((worker) => ask(worker, sums))).finally(() => {
      asking = undefined;
    });
    await asking;
    return sums.text(await own.snapshot());
  };
  const http = createHttpServer({
    publicUrl: () => config.PUBLIC_URL ?? "",
    receiveTimeoutMs,
    trustedProxies: TRUSTED_PROXIES,
    requestObserver: createObservers(log, own).request,
    reportDefect: (error, requestId) => log.error({ err: error, requestId }, "defect"),
  });
  addMetricsRoute(http, { metrics: answer, metricsToken: METRICS_TOKEN });
  return { url: await listen(http, HOST, METRICS_PORT), stop: () => closeHttp(http, drainMs) };
}

/**
 * Requests the metrics of a worker. If it ends meanwhile, its last report counts. Throws `unavailable` for one
 * that does not answer: a sum without it would be less than it was.
 */
function ask(worker: Worker, sums: WorkerSums): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      worker.off("message", hear).off("disconnect", left);
      settle();
    };
    const left = end(resolve);
    const isSilent = new Problem("unavailable", "A worker does not tell its metrics. Its event loop may be blocked.");
    const timer = setTimeout(
      end(() => reject(isSilent)),
      answerTimeoutMs,
    );
    const hear = ({ metrics }: Partial<MetricsAnswer>) => {
      if (metrics === undefined) return;
      sums.tell(worker.id, metrics);
      end(resolve)();
    };
    worker.on("message", hear).on("disconnect", left);
    worker.send({ metricsAsked: true } satisfies MetricsQuestion, (error) => {
      // Its channel is closed; its `disconnect` event follows shortly.
      if (error !== null) left();
    });
  });
}
