// Looks after the embedded database server while the service runs.
import { reviveEmbeddedDatabase } from "../embedded-database/database.ts";
import type { Logger } from "../telemetry/logger.ts";

const lookIntervalMs = 1_000;

/** Starts the server again where it has died. @returns the end of that */
export function watchEmbedded(dataDir: string, log: Logger): () => void {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const isRevived = await reviveEmbeddedDatabase({ dataDir, log: (line) => log.info(line) });
      if (isRevived) log.warn("the embedded database server had died and was started again");
    } catch (error) {
      log.error({ err: error }, "the embedded database server has died and cannot be started");
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookIntervalMs);
  return () => clearInterval(timer);
}
