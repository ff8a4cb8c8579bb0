// Several processes on one machine, sharing both ports.
import cluster from "node:cluster";
import type { Config } from "../../config.ts";
import type { Logger } from "../../telemetry/logs/logger.ts";
import { stopSignal } from "./stop-signal.ts";
import { onServing, serveWorkerMetrics } from "./worker-metrics.ts";

/** A worker that exits unexpectedly is replaced at most this often, so that one which cannot start does not loop. */
const replaceAfterMs = 1_000;

/**
 * Runs workers until a signal stops them; resolves when the last one has ended. Throws if the first ones end before any
 * has served: their replacements would fail for the same reason.
 */
export async function runWorkers(count: number, config: Config, log: Logger): Promise<void> {
  let isStopping = false;
  let hasServed = false;
  let hasFailed = false;
  const failed = Promise.withResolvers<void>();
  const stopped = Promise.race([stopSignal(), failed.promise]);
  const metrics = await serveWorkerMetrics(config, log);
  log.info({ metrics: metrics.url }, "metrics of all workers");
  // An ended worker stays in the list until its channel is closed too.
  const areAllDead = () => Object.values(cluster.workers ?? {}).every((worker) => worker?.isDead());
  const ended = new Promise<void>((resolve) => {
    cluster.on("exit", (worker, code) => {
      if (isStopping) {
        if (areAllDead()) resolve();
        return;
      }
      if (!hasServed) {
        hasFailed = true;
        failed.resolve();
        return;
      }
      log.error({ worker: worker.id, code }, "a worker ended and is replaced");
      setTimeout(() => isStopping || cluster.fork(), replaceAfterMs);
    });
  });
  onServing(() => {
    hasServed = true;
  });
  for (let index = 0; index < count; index += 1) cluster.fork();
  await stopped;
  isStopping = true;
  log.info("stopping workers");
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  if (!areAllDead()) await ended;
  await metrics.stop();
  if (hasFailed) throw new Error("a worker ended before it served; why is said above");
}
