// Several processes on one machine, sharing both ports.
import cluster from "node:cluster";
import type { Config } from "../../config.ts";
import type { Logger } from "../../telemetry/logs/logger.ts";
import { stopSignal } from "./stop-signal.ts";
import { serveWorkerMetrics } from "./worker-metrics.ts";

/** A worker that ends unasked is replaced, but not faster than this, so that one which cannot start does not spin. */
const replaceAfterMs = 1_000;

/** Runs workers until a signal stops them; resolves when the last one has ended. */
export async function runWorkers(count: number, config: Config, log: Logger): Promise<void> {
  let isStopping = false;
  const stopped = stopSignal();
  const metrics = await serveWorkerMetrics(config, log);
  log.info({ metrics: metrics.url }, "metrics of all workers");
  // One that has ended stays in the list until its channel is closed as well.
  const areAllDead = () => Object.values(cluster.workers ?? {}).every((worker) => worker?.isDead());
  const ended = new Promise<void>((resolve) => {
    cluster.on("exit", (worker, code) => {
      if (isStopping) {
        if (areAllDead()) resolve();
        return;
      }
      log.error({ worker: worker.id, code }, "a worker ended and is replaced");
      setTimeout(() => isStopping || cluster.fork(), replaceAfterMs);
    });
  });
  for (let index = 0; index < count; index += 1) cluster.fork();
  await stopped;
  isStopping = true;
  log.info("stopping workers");
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  if (!areAllDead()) await ended;
  await metrics.stop();
}
