// What waits until the schema is up to date: without its tables, each background job would fail again and again.
import type { Logger } from "../telemetry/logs/logger.ts";

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
