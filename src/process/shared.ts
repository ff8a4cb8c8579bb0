// What processes of every role share: clocks and times, and how they begin. Times are in milliseconds.
import { uptime } from "node:os";
import type { GuardClocks } from "../domain/clock-guard.ts";
import type { Logger } from "../telemetry/logs/logger.ts";

/** How long calls that run may take to end when the process stops. */
export const drainMs = 10_000;
/** How long a request may take to arrive. */
export const receiveTimeoutMs = 15_000;
/** How long the database may take to say that it is ready. */
export const readinessTimeoutMs = 2_000;

/** The clocks of the host. */
export const hostClocks: GuardClocks = {
  system: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => 1000 * uptime(),
};

/**
 * Collects all garbage and gives the memory back, in some 100 ms in which nothing else runs: to be called once, when all
 * is loaded and nobody is served yet. Without `--expose-gc` it does nothing.
 */
export function tidyHeap(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** What waits until the schema is up to date: without its tables, each background job would fail again and again. */
export class SchemaGate {
  readonly #log: Pick<Logger, "error">;
  #begin: (() => void) | undefined;
  #isReported = false;

  /** @param begin is called once, when the schema is there */
  constructor(log: Pick<Logger, "error">, begin: () => void) {
    this.#log = log;
    this.#begin = begin;
  }

  /** Takes note of how the schema is; undefined: the database is away, and nobody knows. */
  note(isBehind: boolean | undefined): void {
    if (isBehind === false) {
      this.#begin?.();
      this.#begin = undefined;
    } else if (isBehind === true && this.#begin !== undefined && !this.#isReported) {
      this.#isReported = true;
      this.#log.error("the database schema is behind: run pas migrate; nothing is served until then");
    }
  }
}
