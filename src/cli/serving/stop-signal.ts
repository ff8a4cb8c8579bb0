// Waiting for the signal to stop.

/** Signals in quick succession are one: npm passes a terminal's signal on a second time. */
const sameSignalMs = 1_000;

/**
 * Resolves at the first SIGINT or SIGTERM. A later one ends the process at once. To be called before anybody is told
 * that the service runs: whoever hears that may stop it at once.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const receive = () => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve();
      } else if (now - firstAt > sameSignalMs) {
        process.exit(1);
      }
    };
    process.on("SIGINT", receive);
    process.on("SIGTERM", receive);
  });
}
