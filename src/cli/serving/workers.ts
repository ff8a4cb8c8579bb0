// Several processes on one machine, sharing both ports. The primary serves the metrics of all on a port of its own.
import cluster from "node:cluster";
import type { Config } from "../../config.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { createConnectionMemory } from "../../limits/connections.ts";
import { receiveTimeoutMs } from "../../process/process-base.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { createWorkerMetrics, serveScrapes, type Telemetry } from "../../telemetry/telemetry.ts";
import { addMetricsRoute } from "../../transport/http/health-routes.ts";
import { closeHttp, createHttpServer, listen } from "../../transport/http/server.ts";
import { waitForStop } from "./stop-signal.ts";

/** A worker that exits unexpectedly is replaced at most this often, so that one which cannot start does not loop. */
const replaceAfterMs = 1_000;
const drainMs = 1_000;

interface ServingMessage {
  readonly isServing: true;
}

/** Answers the primary, which asks for metrics, from now on. In a worker only. @returns call it when the worker serves */
export function joinPrimary(): (registry: Telemetry["registry"]) => void {
  const serveMetricsTo = serveScrapes();
  return (registry) => {
    serveMetricsTo(registry);
    process.send?.({ isServing: true } satisfies ServingMessage);
  };
}

/**
 * Runs workers until a signal stops them; resolves when the last one has ended. Throws if the first ones end before any
 * has served: their replacements would fail for the same reason.
 */
export async function runWorkers(count: number, config: Config, log: Logger): Promise<void> {
  let isStopping = false;
  let hasServed = false;
  let hasFailed = false;
  const failure = Promise.withResolvers<void>();
  const stop = Promise.race([waitForStop(), failure.promise]);
  const metrics = await serveMetrics(config, log);
  log.info({ metrics: metrics.url }, "metrics of all workers");
  // An ended worker stays in the list until its channel is closed too.
  const haveAllExited = () => Object.values(cluster.workers ?? {}).every((worker) => worker?.isDead());
  const exit = new Promise<void>((resolve) => {
    cluster.on("exit", (worker, code) => {
      if (isStopping) {
        if (haveAllExited()) resolve();
        return;
      }
      if (!hasServed) {
        hasFailed = true;
        failure.resolve();
        return;
      }
      log.error({ worker: worker.id, code }, "a worker has ended and is being replaced");
      setTimeout(() => isStopping || cluster.fork(), replaceAfterMs);
    });
  });
  cluster.on("message", (_worker, { isServing }: Partial<ServingMessage>) => {
    hasServed ||= isServing === true;
  });
  for (let index = 0; index < count; index += 1) cluster.fork();
  await stop;
  isStopping = true;
  log.info("stopping workers");
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  if (!haveAllExited()) await exit;
  await metrics.stop();
  if (hasFailed) throw new Error("a worker ended before it was ready; its error is logged above");
}

/** Serves the metrics of all workers, each with its number as a label. */
async function serveMetrics(config: Config, log: Logger): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { HOST, METRICS_PORT, METRICS_TOKEN, TRUSTED_PROXIES } = config;
  const collectMetrics = createWorkerMetrics();
  const metrics = () =>
    collectMetrics().catch(() => {
      throw new Refusal("unavailable", "A worker does not return its metrics. Its event loop may be blocked.");
    });
  const { signal: endless } = new AbortController();
  const http = createHttpServer({
    publicUrl: () => config.PUBLIC_URL ?? "",
    receiveTimeoutMs,
    trustedProxies: TRUSTED_PROXIES,
    connectionMemory: createConnectionMemory(),
    leaving: endless,
    stopping: endless,
    requestObserver: () => undefined,
    reportDefect: (error, requestId) => log.error({ err: error, requestId }, "defect"),
  });
  addMetricsRoute(http, { metrics, metricsToken: METRICS_TOKEN });
  return { url: await listen(http, HOST, METRICS_PORT), stop: () => closeHttp(http, drainMs) };
}
