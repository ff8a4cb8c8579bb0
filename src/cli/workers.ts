// Several processes on one machine, sharing both ports.
import cluster from "node:cluster";
import type { Logger } from "../telemetry/logger.ts";
import { stopSignal } from "./stop-signal.ts";

/** A worker that ends unasked is replaced, but not faster than this, so that one which cannot start does not spin. */
const replaceAfterMs = 1_000;

/** Runs workers until a signal stops them; resolves when the last one has ended. */
export async function runWorkers(count: number, log: Logger): Promise<void> {
  let isStopping = false;
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
  await stopSignal();
  isStopping = true;
  log.info("stopping workers");
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  if (!areAllDead()) await ended;
}
