// Looks after the embedded database server while the service runs.
import { randomBytes } from "node:crypto";
import { reviveEmbeddedDatabase } from "../../database/embedded/database.ts";
import type { JobRun } from "../../jobs/job.ts";
import { JobRunner } from "../../jobs/runner.ts";
import { systemTimers } from "../../jobs/timers.ts";
import type { Logger } from "../../telemetry/logs/logger.ts";

const lookIntervalMs = 1_000;
/** Beyond all that a start waits for: another process, the server's end, and its recovery. */
const reviveDeadlineMs = 10 * 60_000;

export interface EmbeddedWatch {
  stop(): Promise<void>;
}

/** Starts the server again where it has died, until it is stopped. */
export function watchEmbedded(dataDir: string, log: Logger): EmbeddedWatch {
  const observe = ({ outcome, error }: JobRun) => {
    if (outcome === "ok" || outcome === "stopped") return;
    log.error({ err: error, outcome }, "the embedded database server has died and cannot be started");
  };
  const jobs = new JobRunner({ timers: systemTimers, clock: Date.now, random: randomBytes, observe });
  jobs.start({
    name: "embedded-watch",
    intervalMs: lookIntervalMs,
    deadlineMs: reviveDeadlineMs,
    async run() {
      const isRevived = await reviveEmbeddedDatabase({ dataDir, log: (line) => log.info(line) });
      if (isRevived) log.warn("the embedded database server had died and was started again");
    },
  });
  // A start that is under way holds the lock of the data folder, so whoever stops the server waits for it anyway.
  return { stop: () => jobs.stop(0) };
}
