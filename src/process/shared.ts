// What processes of every role share: clocks and times, and how they begin. Times are in milliseconds.
import { randomBytes } from "node:crypto";
import { uptime } from "node:os";
import { SharedClock } from "../database/clock.ts";
import { ClockGuard, type GuardClocks } from "../database/clock-guard.ts";
import { faultOf } from "../database/database-errors.ts";
import { askReadiness } from "../database/readiness.ts";
import { JobRunner } from "../jobs/runner.ts";
import type { Clock, ReportDefect } from "../kernel/environment.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Stores } from "../store/stores.ts";
import {
  clockObserver,
  forgottenJobObserver,
  jobObserver,
  startedJobObserver,
} from "../telemetry/logs/background-log.ts";
import type { Logger } from "../telemetry/logs/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { Readiness } from "../transport/http/health-routes.ts";
import type { ShardSet } from "./shards.ts";

/** How long calls that run may take to end when the process stops. */
export const drainMs = 10_000;
/** How long a request may take to arrive. */
export const receiveTimeoutMs = 15_000;
/** How long the database may take to say that it is ready. */
const readinessTimeoutMs = 2_000;
/** A single write may be slow. */
const refusedLooks = 2;
const writeFault = "The database answers and takes no writes; look whether its disk is full.";

/** The clocks of the host. */
export const hostClocks: GuardClocks = {
  system: () => Date.now(),
  monotonic: systemTimers.now,
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

/** The clock of a process over a database, and what holds it to that of the database. */
export function openClock({ databaseClock }: Stores, log: Logger, metrics: Metrics) {
  const shared = new SharedClock(hostClocks.system, hostClocks.monotonic);
  const observe = clockObserver(log, metrics);
  const guard = new ClockGuard({ databaseClock, clocks: hostClocks, shared, observe });
  return { clock: shared.now, guard };
}

/** Asks the database whether it is ready, what time it has, and which shards. @param note is told what it said */
export function databaseReadiness(
  db: Parameters<typeof askReadiness>[0],
  guard: ClockGuard,
  shards: Pick<ShardSet, "look">,
  note: (state: Awaited<ReturnType<typeof askReadiness>>) => void,
): () => Promise<Readiness> {
  let failedLooks = 0;
  return async () => {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    const state = await askReadiness(db, hostClocks, signal);
    // The log says why the database does not answer. One that does and fails here takes no writes: of all processes one
    // writes the time that was accepted every half a minute, and until that is done each of them tries.
    const isLooked =
      state.isBehind === true ||
      (await guard.look(signal).then(
        () => true,
        () => false,
      ));
    failedLooks = isLooked || state.isBehind === undefined ? 0 : failedLooks + 1;
    const refused = failedLooks >= refusedLooks ? writeFault : undefined;
    // One that is away knows of no shards either.
    const isThere = state.isBehind !== undefined;
    const fault = isThere
      ? await shards.look(signal).then(
          () => state.fault ?? refused,
          (error) => refused ?? faultOf(error),
        )
      : state.fault;
    note(state);
    return fault === undefined ? { isReady: true } : { isReady: false, reason: fault };
  };
}

/** What runs the background jobs of a process. */
export function openJobs({ jobLeases: leases }: Stores, clock: Clock, log: Logger, metrics: Metrics): JobRunner {
  const observeStarted = startedJobObserver(metrics, clock);
  return new JobRunner({
    timers: systemTimers,
    clock,
    random: randomBytes,
    leases,
    observe: jobObserver(log, metrics),
    observeStarted,
    observeForgotten: forgottenJobObserver(metrics),
  });
}

/** Counts and logs faults of the service itself. */
export function defectReporter(log: Logger, metrics: Metrics): ReportDefect {
  return (error, what) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
}
