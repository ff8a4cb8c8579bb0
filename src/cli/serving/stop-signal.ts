// Waiting for the signal to stop.

/** Signals in quick succession count as one: npm forwards a terminal's signal a second time. */
const signalDebounceMs = 1_000;

/**
 * Resolves at the first SIGINT or SIGTERM. A later one ends the process at once. Call it before reporting
 * that the service runs: the signal may follow at once.
 */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const receive = () => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve();
      } else if (now - firstAt > signalDebounceMs) {
        process.exit(1);
      }
    };
    process.on("SIGINT", receive);
    process.on("SIGTERM", receive);
  });
}
