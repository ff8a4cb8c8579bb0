// Every background job of a process with a pipeline.
import type { Config } from "../config.ts";
import type { Job } from "../jobs/job.ts";
import { ChainAnchorer, removeOldAudit } from "../services/audit/anchors.ts";
import { batchSizes } from "../services/batch-sizes.ts";
import type { Sequencer } from "../services/events/sequencer.ts";
import { closeDueGroups } from "../services/groups/closing.ts";
import { releasePools } from "../services/norms/pool.ts";
import { computeNorms, findLatestRunTime } from "../services/norms/run.ts";
import { expireEvents, removeExpired } from "../services/retention/maintenance.ts";
import { applyRetention } from "../services/retention/retention.ts";
import { emitDueEvents } from "../services/sessions/lifecycle.ts";
import type { EventStore } from "../store/events/event-store.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { CoreDependencies } from "./core.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

type Run = Job["run"];

/**
 * An exclusive job that removes or ends something for its age. It does not run while the clocks of host and database differ:
 * by a clock that is ahead, everything is too old.
 * @param fault of the clocks; undefined: they agree
 */
function createExpiryJob(
  fault: () => string | undefined,
  name: string,
  intervalMs: number,
  run: Run,
  deadlineMs = minute,
): Job {
  return { name, intervalMs, deadlineMs, isExclusive: true, mayRun: () => fault() === undefined, run };
}

/** Checks regularly whether requests can be served. */
export function createReadinessJob(check: Run): Job {
  return { name: "readiness-watch", intervalMs: 2 * second, deadlineMs: 5 * second, run: check };
}

/**
 * The jobs of the log of events, of which each shard has one. Names never change: they are labels of metrics and keys of
 * leases.
 * @param log on a connection that the database closes when the process freezes
 */
export function createLogJobs(
  dependencies: Pick<CoreDependencies, "clock" | "clockFault" | "batchSizes">,
  { sequencer, log }: { readonly sequencer: Pick<Sequencer, "run">; readonly log: Pick<EventStore, "expireEvents"> },
  config: Config,
): readonly Job[] {
  const publish: Run = (signal) => sequencer.run(signal);
  const expire: Run = (signal) => expireEvents({ ...dependencies, events: log }, config.EVENT_RETENTION_DAYS, signal);
  return [
    // Each process tries; the log lets one of them write.
    { name: "event-sequencer", intervalMs: config.EVENT_INTERVAL_MS, deadlineMs: 10 * second, run: publish },
    createExpiryJob(dependencies.clockFault, "event-retention", 5 * minute, expire),
  ];
}

/** The jobs for the whole database, and for the process itself. */
export function createBackgroundJobs(
  dependencies: CoreDependencies,
  { observeUnpublished, observeAnchor }: Telemetry["upkeep"],
  config: Config,
): readonly Job[] {
  const { clockFault: fault, events, clientUses } = dependencies;
  const { NORMS_HOUR: hourOfNorms } = config;
  const anchoring = { ...dependencies, auditKeys: config.AUDIT_KEY ?? [] };
  const anchorer = new ChainAnchorer(anchoring);
  const anchor: Run = async (signal) => {
    for await (const newAnchor of anchorer.run(signal)) observeAnchor(newAnchor);
  };
  const observeBacklog: Run = async (signal) => observeUnpublished(await events.findUnpublishedAge(signal));
  const saveUses: Run = (signal) => clientUses.save(signal);
  return [
    createExpiryJob(fault, "maintenance", 5 * minute, (signal) => removeExpired(dependencies, signal)),
    createExpiryJob(fault, "due-sessions", 30 * second, (signal) => emitDueEvents(dependencies, signal)),
    createExpiryJob(fault, "group-closing", 30 * second, (signal) => closeDueGroups(dependencies, signal)),
    createExpiryJob(fault, "session-retention", hour, (signal) => applyRetention(dependencies, signal), 10 * minute),
    ...(hourOfNorms === -1 ? [] : [createNormsJob(dependencies, hourOfNorms)]),
    // Each process knows only its own callers.
    { name: "client-use", intervalMs: 5 * minute, deadlineMs: 30 * second, run: saveUses },
    { name: "event-backlog", intervalMs: 10 * second, deadlineMs: 5 * second, run: observeBacklog },
    { name: "audit-anchor", intervalMs: minute, deadlineMs: 30 * second, isExclusive: true, run: anchor },
    createExpiryJob(fault, "audit-retention", hour, (signal) =>
      removeOldAudit(anchoring, config.AUDIT_RETENTION_DAYS, signal),
    ),
    createExpiryJob(fault, "norm-release", 5 * minute, (signal) => releasePools(dependencies, signal), 10 * minute),
  ];
}

/** Reads how all deliveries are, in a process that delivers webhooks. */
export function createBacklogJob(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, "readDeliveryState"> },
  metrics: Telemetry["deliveries"],
): Job {
  const run: Run = async (signal) => {
    const { endpoints, behindSeconds } = await deliveries.readDeliveryState(signal);
    for (const [state, count] of Object.entries(endpoints)) metrics.endpoints.set({ state }, count);
    metrics.behind.set(behindSeconds);
  };
  return { name: "webhook-backlog", intervalMs: 15 * second, deadlineMs: 5 * second, run };
}

/** The jobs of a shard in a process that delivers webhooks. */
export function createDeliveryJobs(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, "wakeEndpoints"> },
  deliverer: { run(signal: AbortSignal): Promise<void> },
): readonly Job[] {
  const deliver: Run = (signal) => deliverer.run(signal);
  const wake: Run = (signal) => deliveries.wakeEndpoints(batchSizes.removals, signal);
  return [
    // Processes share the deliveries: each claims some.
    { name: "webhook-delivery", intervalMs: 250, deadlineMs: 5 * second, run: deliver },
    { name: "webhook-sweep", intervalMs: 5 * second, deadlineMs: 5 * second, run: wake },
  ];
}

function createNormsJob(dependencies: CoreDependencies, hourOfDay: number): Job {
  let lastRun = new Date(0);
  const run: Run = async (signal) => {
    const night = findLatestRunTime(new Date(dependencies.clock()), hourOfDay);
    if (night > lastRun) await computeNorms(dependencies, night, signal);
    lastRun = night;
  };
  return createExpiryJob(dependencies.clockFault, "norms", 5 * minute, run, 6 * hour);
}
