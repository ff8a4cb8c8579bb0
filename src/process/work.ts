// The background work of a process: jobs for all shards together, and jobs of each shard. It begins once the schema is up to
// date.
import { faultOf } from "../database/database-errors.ts";
import { askReadiness } from "../database/readiness.ts";
import type { Job } from "../jobs/job.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { deliveryObserver } from "../telemetry/logs/background-log.ts";
import type { Logger } from "../telemetry/logs/logger.ts";
import { keptReadiness, type Readiness } from "../transport/http/health-routes.ts";
import type { UnderWay } from "../webhooks/shares.ts";
import { deliveryJobs, ofShard, readinessWatch } from "./background-jobs.ts";
import type { OpenShard, ShardWork } from "./shard-set.ts";
import { type Begun, drainMs, hostClocks, type OpenStores } from "./shared.ts";
import { createDeliverer, openTurns, type WebhookWiring } from "./webhooks.ts";

/** Time limit of the readiness check. */
const readinessTimeoutMs = 2_000;
/** A single slow write does not count as a failure. */
const maxFailedChecks = 2;
const writeFault = "The database answers and takes no writes; look whether its disk is full.";

/** A part of the work on a shard. */
export interface ShardPart extends AsyncDisposable {
  readonly jobs: readonly Job[];
  /** Lets running work beside the jobs end within the time. */
  stop(patienceMs: number): Promise<void>;
}

/** @param newRunner makes the job runner of a shard. @param parts of the work on each shard */
function shardWork(
  newRunner: () => JobRunner,
  parts: readonly ((shard: OpenShard) => ShardPart)[],
): (shard: OpenShard) => ShardWork {
  return (shard) => {
    const runner = newRunner();
    const begun = parts.map((begin) => begin(shard));
    for (const job of begun.flatMap(({ jobs }) => jobs)) runner.start(ofShard(job, shard.name));
    return {
      forget: () => runner.forget(),
      async stop(patienceMs) {
        await Promise.all([runner.stop(patienceMs), ...begun.map((part) => part.stop(patienceMs))]);
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(begun.map((part) => part[Symbol.asyncDispose]()));
      },
    };
  };
}

/** Delivers webhooks of a shard, on a connection of its own for claims. */
export function deliveringOnShards(
  { config, log, metrics }: Begun,
  { observed, stores, clock, guard, reportDefect }: OpenStores,
  wiring: WebhookWiring,
): (shard: OpenShard) => ShardPart {
  // The deliverers of all shards share the connections.
  const shared = { ...wiring, underWay: new Set<UnderWay>(), concurrency: config.WEBHOOK_CONCURRENCY };
  const observe = deliveryObserver(log, metrics);
  const { isTrusted } = guard;
  const { monotonic } = hostClocks;
  return (shard) => {
    const { turns, ...opened } = openTurns({ ...observed, address: shard.address });
    const storesOfShard = { ...stores, ...shard };
    const options = { ...shared, stores: storesOfShard, turns, clock, isTrusted, monotonic, observe, reportDefect };
    const deliverer = createDeliverer(options);
    const jobs = deliveryJobs({ ...shard, deliverer, trustedClock: guard });
    return { ...opened, jobs, stop: (patienceMs) => deliverer.stop(patienceMs) };
  };
}

/**
 * Runs the background work of a process: from when the schema is up to date until it stops.
 * @param jobs for all shards together. @param parts of the work on each shard
 * @param changed called after every check with whether the process is ready
 */
export function beginWork(
  { log, leaving, stopping }: Begun,
  opened: OpenStores,
  {
    jobs,
    parts,
    changed,
  }: {
    readonly jobs: readonly Job[];
    readonly parts: readonly ((shard: OpenShard) => ShardPart)[];
    readonly changed?: (isReady: boolean) => void;
  },
) {
  const { shards, newRunner } = opened;
  const runner = newRunner();
  const gate = new SchemaGate(log, () => {
    if (stopping.signal.aborted) return;
    for (const job of jobs) runner.start(job);
    shards.begin(shardWork(newRunner, parts));
  });
  const find = databaseReadiness(opened, ({ isBehind }) => gate.note(isBehind));
  const readiness = keptReadiness(find, leaving.signal, changed);
  runner.start(readinessWatch(readiness, shards.check));
  const stop = () => Promise.all([runner.stop(drainMs), shards.stop(drainMs)]);
  return { readiness, stop };
}

/** Delays work until the schema is up to date: without its tables, every job would fail again and again. */
class SchemaGate {
  readonly #log: Pick<Logger, "error">;
  #begin: (() => void) | undefined;
  #isReported = false;

  /** @param begin called once, when the schema is up to date */
  constructor(log: Pick<Logger, "error">, begin: () => void) {
    this.#log = log;
    this.#begin = begin;
  }

  /** Records the state of the schema; undefined: the database cannot be reached. */
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

/** Reads readiness, time and shards from the database. @param note called with the readiness */
function databaseReadiness(
  { db, guard, shards }: Pick<OpenStores, "db" | "guard" | "shards">,
  note: (state: Awaited<ReturnType<typeof askReadiness>>) => void,
): () => Promise<Readiness> {
  let failedChecks = 0;
  return async () => {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    const state = await askReadiness(db, hostClocks, signal);
    // askReadiness logs why the database does not answer. If it answers and this fails, it takes no writes. One of all
    // processes writes the time every half a minute; until that succeeds each of them tries.
    const isWritable =
      state.isBehind === true ||
      (await guard.refresh(signal).then(
        () => true,
        () => false,
      ));
    failedChecks = isWritable || state.isBehind === undefined ? 0 : failedChecks + 1;
    const refused = failedChecks >= maxFailedChecks ? writeFault : undefined;
    // A database that cannot be reached lists no shards either.
    const isThere = state.isBehind !== undefined;
    const fault = isThere
      ? await shards.refresh(signal).then(
          () => state.fault ?? refused,
          (error) => refused ?? faultOf(error),
        )
      : state.fault;
    note(state);
    return fault === undefined ? { isReady: true } : { isReady: false, reason: fault };
  };
}
