// The background work of a process: jobs for all shards together, and jobs of each shard. It begins once the schema is up to
// date.

import { Database, type DatabaseOptions } from "../database/database.ts";
import { describeFault } from "../database/database-errors.ts";
import { listPendingMigrations } from "../database/migrate.ts";
import { wholeLog } from "../domain/events/event-cursor.ts";
import type { Job } from "../jobs/job.ts";
import { monotonic } from "../kernel/environment.ts";
import { once } from "../kernel/once.ts";
import { batchSizes } from "../services/batch-sizes.ts";
import type { Dependencies } from "../services/dependencies.ts";
import { Sequencer } from "../services/events/sequencer.ts";
import { createEventStore } from "../store/events/event-store.ts";
import { createSequencerStore, type PublishedEvent, sequencerSettings } from "../store/events/sequencer-store.ts";
import { cacheReadiness, type Readiness } from "../transport/http/health-routes.ts";
import { Deliverer } from "../webhooks/deliverer.ts";
import type { EndpointConnections } from "../webhooks/shares.ts";
import { createDeliveryJobs, createReadinessJob } from "./background-jobs.ts";
import { drainMs, type ProcessBase, type ProcessDependencies } from "./process-base.ts";
import type { OpenShard } from "./shard-set.ts";
import { openDeliveries, type WebhookWiring } from "./webhook-wiring.ts";

/** Time limit of the readiness check. */
const readinessTimeoutMs = 2_000;
/** A single slow write does not count as a failure. */
const maxFailedWrites = 2;
const writeIntervalMs = 30_000;
const schemaFault = "The database schema is behind; bring it up to date with `pas migrate`.";
const writeFault = "The database answers but accepts no writes; check whether its disk is full.";

/** The jobs of a part of the work on a shard. What it opens ends with the shard's work. */
export type CreateShardJobs = (shard: OpenShard) => readonly Job[];

/** Delivers webhooks of a shard, on a connection of its own for claims. */
export function deliverOnShards(
  { config, telemetry }: ProcessBase,
  dependencies: Dependencies,
  wiring: WebhookWiring,
): CreateShardJobs {
  // The deliverers of all shards share the connections.
  const shared = {
    ...dependencies,
    ...wiring,
    usedConnections: new Map<string, EndpointConnections>(),
    concurrency: config.WEBHOOK_CONCURRENCY,
    observe: telemetry.deliveries,
  };
  return ({ options, resources }) => {
    const open = resources.use(openDeliveries(options));
    const deliverer = new Deliverer({ ...shared, ...open });
    resources.defer(() => deliverer.stop(drainMs));
    return createDeliveryJobs(open, deliverer);
  };
}

/**
 * Opens the writer of the event log, on a connection that the database closes soon after the process freezes.
 * @param observe called with the events that were added
 */
export function openSequencer(
  database: Pick<DatabaseOptions, "address" | "warn" | "observer">,
  observe: (published: readonly PublishedEvent[]) => void,
) {
  const db = new Database({ ...database, poolSize: 1, settings: sequencerSettings });
  const sequencer = new Sequencer({
    sequencer: createSequencerStore(db),
    monotonic,
    batchSizes,
    observe,
  });
  // Expiry takes locks that the sequencer needs, so it uses the same connection.
  return { sequencer, log: createEventStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}

/**
 * Runs the background work of a process once the schema is up to date, until the process stops.
 * @param jobs for all shards together. @param shardJobs on each shard
 * @param onReadiness called after every check with whether the process is ready
 * @returns after the first check, which also reads the clock
 */
export async function runJobs(
  { log, leaving, stopping }: ProcessBase,
  dependencies: ProcessDependencies,
  jobs: readonly Job[],
  shardJobs: readonly CreateShardJobs[],
  onReadiness?: (isReady: boolean) => void,
) {
  const { shards, newRunner } = dependencies;
  const runner = newRunner();
  const reportSchema = once(() =>
    log.error("the database schema is behind: run pas migrate; nothing is served until then"),
  );
  let hasStarted = false;
  const startJobs = () => {
    if (hasStarted || stopping.signal.aborted) return;
    hasStarted = true;
    for (const job of jobs) runner.start(job);
    shards.onEachShard((shard) => {
      const shardRunner = newRunner();
      shard.resources.defer(() => shardRunner.stop(drainMs));
      // Each shard has its own leases and metrics.
      const suffix = shard.name === wholeLog ? "" : `@${shard.name}`;
      for (const job of shardJobs.flatMap((create) => create(shard))) {
        shardRunner.start({ ...job, name: `${job.name}${suffix}` });
      }
    });
  };
  // Without its tables every job would fail again and again.
  const check = createReadinessCheck(dependencies, { onOldSchema: reportSchema, onCurrentSchema: startJobs });
  const readiness = cacheReadiness(check, leaving.signal, onReadiness);
  // Before anything is stopped: watchers of health hear of it.
  leaving.signal.addEventListener("abort", () => onReadiness?.(false));
  const watch = () => shards.refresh(AbortSignal.timeout(readinessTimeoutMs)).finally(readiness);
  runner.start(createReadinessJob(watch));
  await watch().catch(() => undefined);
  return { readiness, stop: () => Promise.all([runner.stop(drainMs), shards.stop()]) };
}

/** Asks whether the database can serve: reachable, migrated, taking writes, and with a clock that agrees with this host's. */
function createReadinessCheck(
  { shards, dependencies: { jobLeases, clockFault }, readClock }: ProcessDependencies,
  { onOldSchema, onCurrentSchema }: Readonly<Record<"onOldSchema" | "onCurrentSchema", () => void>>,
): () => Promise<Readiness> {
  let failedWrites = 0;
  let nextWriteAt = Number.NEGATIVE_INFINITY;
  const acceptsWrites = async (signal: AbortSignal) => {
    const now = monotonic();
    if (now < nextWriteAt) return true;
    try {
      // Each process may renew this lease at any time, so each time a row is written.
      await jobLeases.takeLease("readiness", Buffer.alloc(16), writeIntervalMs, signal);
      failedWrites = 0;
      nextWriteAt = now + writeIntervalMs;
    } catch {
      failedWrites += 1;
    }
    return failedWrites < maxFailedWrites;
  };
  return async () => {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    try {
      if ((await listPendingMigrations(shards.db, signal)).length > 0) {
        onOldSchema();
        return { isReady: false, reason: schemaFault };
      }
      await readClock(signal);
      const fault = (await acceptsWrites(signal)) ? clockFault() : writeFault;
      onCurrentSchema();
      if (fault !== undefined) return { isReady: false, reason: fault };
      // Throws while none is known.
      shards.list();
      return { isReady: true };
    } catch (error) {
      failedWrites = 0;
      return { isReady: false, reason: describeFault(error) };
    }
  };
}
