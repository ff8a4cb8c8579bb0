// Every background job of a process with a pipeline.
import type { Config } from "../config.ts";
import type { Job } from "../jobs/job.ts";
import { ChainAnchorer, expireAudit } from "../services/audit/anchors.ts";
import { batchSizes } from "../services/batch-sizes.ts";
import type { Sequencer } from "../services/events/sequencer.ts";
import { closeDueGroups } from "../services/groups/closing.ts";
import { releasePools } from "../services/norms/pool.ts";
import { computeNorms, lastNight } from "../services/norms/run.ts";
import { expireEvents, removeExpired } from "../services/retention/maintenance.ts";
import { applyRetention } from "../services/retention/retention.ts";
import { announceDueSessions } from "../services/sessions/lifecycle.ts";
import type { EventStore } from "../store/events/event-store.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { CoreDependencies } from "./core.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

type Run = Job["run"];

/** A job of each process. */
function processJob(name: string, intervalMs: number, deadlineMs: number, run: Run): Job {
  return { name, intervalMs, deadlineMs, run };
}

/**
 * A job of one process at a time that removes or ends something for its age. It does not run while the clocks of host and
 * database differ: a clock that runs ahead finds everything too old.
 * @param fault of the clocks; undefined: they agree
 */
function agingJob(
  fault: () => string | undefined,
  name: string,
  intervalMs: number,
  run: Run,
  deadlineMs = minute,
): Job {
  return { name, intervalMs, deadlineMs, isExclusive: true, mayRun: () => fault() === undefined, run };
}

/** Checks regularly whether requests can be served, whatever else is wrong. */
export function readinessWatch(check: Run): Job {
  return processJob("readiness-watch", 2 * second, 5 * second, check);
}

/**
 * The jobs of the log of events, of which each shard has one. Names never change: they are labels of metrics and keys of
 * leases.
 * @param log on a connection that the database closes when the process freezes
 */
export function logJobs(
  dependencies: Pick<CoreDependencies, "clock" | "clockFault" | "batchSizes">,
  { sequencer, log }: { readonly sequencer: Pick<Sequencer, "run">; readonly log: Pick<EventStore, "expireEvents"> },
  config: Config,
): readonly Job[] {
  const expire: Run = (signal) => expireEvents({ ...dependencies, events: log }, config.EVENT_RETENTION_DAYS, signal);
  return [
    // Each process tries; the log lets one of them write.
    processJob("event-sequencer", config.EVENT_INTERVAL_MS, 10 * second, (signal) => sequencer.run(signal)),
    agingJob(dependencies.clockFault, "event-retention", 5 * minute, expire),
  ];
}

/** The jobs for the whole database, and for the process itself. */
export function backgroundJobs(
  dependencies: CoreDependencies,
  { observeUnpublished, observeAnchor }: Telemetry["upkeep"],
  config: Config,
): readonly Job[] {
  const { clockFault: fault, events } = dependencies;
  const { NORMS_HOUR: hourOfNorms } = config;
  const anchoring = { ...dependencies, auditKeys: config.AUDIT_KEY ?? [] };
  const anchorer = new ChainAnchorer(anchoring);
  const anchor: Run = async (signal) => {
    for await (const newAnchor of anchorer.run(signal)) observeAnchor(newAnchor);
  };
  const observeBacklog: Run = async (signal) => observeUnpublished(await events.findUnpublishedAge(signal));
  return [
    agingJob(fault, "maintenance", 5 * minute, (signal) => removeExpired(dependencies, signal)),
    agingJob(fault, "due-sessions", 30 * second, (signal) => announceDueSessions(dependencies, signal)),
    agingJob(fault, "group-closing", 30 * second, (signal) => closeDueGroups(dependencies, signal)),
    agingJob(fault, "session-retention", hour, (signal) => applyRetention(dependencies, signal), 10 * minute),
    ...(hourOfNorms === -1 ? [] : [normsJob(dependencies, hourOfNorms)]),
    // Each process knows only its own callers.
    processJob("client-use", 5 * minute, 30 * second, (signal) => dependencies.clientUses.save(signal)),
    processJob("event-backlog", 10 * second, 5 * second, observeBacklog),
    { name: "audit-anchor", intervalMs: minute, deadlineMs: 30 * second, isExclusive: true, run: anchor },
    agingJob(fault, "audit-retention", hour, (signal) => expireAudit(anchoring, config.AUDIT_RETENTION_DAYS, signal)),
    agingJob(fault, "norm-release", 5 * minute, (signal) => releasePools(dependencies, signal), 10 * minute),
  ];
}

/** Reads how all deliveries are, in a process that delivers webhooks. */
export function webhookBacklog(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, "readDeliveryState"> },
  metrics: Telemetry["deliveries"],
): Job {
  return processJob("webhook-backlog", 15 * second, 5 * second, async (signal) => {
    const { endpoints, behindSeconds } = await deliveries.readDeliveryState(signal);
    for (const [state, count] of Object.entries(endpoints)) metrics.endpoints.set({ state }, count);
    metrics.behind.set(behindSeconds);
  });
}

/** The jobs of a shard in a process that delivers webhooks. */
export function deliveryJobs(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, "wakeEndpoints"> },
  deliverer: { run(signal: AbortSignal): Promise<void> },
): readonly Job[] {
  return [
    // Processes share the deliveries: each claims some.
    processJob("webhook-delivery", 250, 5 * second, (signal) => deliverer.run(signal)),
    processJob("webhook-sweep", 5 * second, 5 * second, (signal) =>
      deliveries.wakeEndpoints(batchSizes.expired, signal),
    ),
  ];
}

function normsJob(dependencies: CoreDependencies, hourOfDay: number): Job {
  let lastRun = new Date(0);
  const run: Run = async (signal) => {
    const night = lastNight(new Date(dependencies.clock()), hourOfDay);
    if (night > lastRun) await computeNorms(dependencies, night, signal);
    lastRun = night;
  };
  return agingJob(dependencies.clockFault, "norms", 5 * minute, run, 6 * hour);
}
