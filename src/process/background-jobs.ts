// Every background job of a process with a pipeline.
import type { Config } from "../config.ts";
import type { Job } from "../jobs/job.ts";
import { hourMs, minuteMs } from "../kernel/environment.ts";
import { ChainAnchorer, removeOldAudit } from "../services/audit/anchors.ts";
import { batchSizes } from "../services/batch-sizes.ts";
import type { Dependencies } from "../services/dependencies.ts";
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

type Run = Job["run"];

/**
 * Settings of jobs that remove or end something for its age. They do not run while the clocks of host and database
 * differ: by a clock that is ahead, everything is too old.
 */
function createExpiry({ clockFault }: Pick<Dependencies, "clockFault">) {
  return { isExclusive: true, deadlineMs: minuteMs, mayRun: () => clockFault() === undefined };
}

/** Checks regularly whether requests can be served. */
export function createReadinessJob(check: Run): Job {
  return { name: "readiness-watch", intervalMs: 2_000, deadlineMs: 5_000, run: check };
}

/**
 * The jobs of the log of events, of which each shard has one. Names never change: they are labels of metrics and keys of
 * leases.
 * @param log on a connection that the database closes when the process freezes
 */
export function createLogJobs(
  dependencies: Pick<Dependencies, "clock" | "clockFault" | "batchSizes">,
  { sequencer, log }: { readonly sequencer: Pick<Sequencer, "run">; readonly log: Pick<EventStore, "expireEvents"> },
  config: Config,
): readonly Job[] {
  const publish: Run = (signal) => sequencer.run(signal);
  const expire: Run = (signal) => expireEvents({ ...dependencies, events: log }, config.EVENT_RETENTION_DAYS, signal);
  return [
    // Each process tries; the log lets one of them write.
    { name: "event-sequencer", intervalMs: config.EVENT_INTERVAL_MS, deadlineMs: 10_000, run: publish },
    { ...createExpiry(dependencies), name: "event-retention", intervalMs: 5 * minuteMs, run: expire },
  ];
}

/** The jobs for the whole database, and for the process itself. */
export function createBackgroundJobs(
  dependencies: Dependencies,
  { observeUnpublished, observeAnchor }: Telemetry["upkeep"],
  config: Config,
): readonly Job[] {
  const { events, clientUses, clock } = dependencies;
  const { NORMS_HOUR: hourOfNorms, AUDIT_RETENTION_DAYS: auditDays } = config;
  const anchorer = new ChainAnchorer({ ...dependencies, auditKeys: config.AUDIT_KEY ?? [] });
  const anchor: Run = async (signal) => {
    const newAnchor = await anchorer.run(signal);
    if (newAnchor !== undefined) observeAnchor(newAnchor);
  };
  let lastNorms = new Date(0);
  const computeDueNorms: Run = async (signal) => {
    const night = findLatestRunTime(new Date(clock()), hourOfNorms);
    if (night > lastNorms) await computeNorms(dependencies, night, signal);
    lastNorms = night;
  };
  const observeBacklog: Run = async (signal) => observeUnpublished(await events.findUnpublishedAge(signal));
  const saveUses: Run = (signal) => clientUses.save(signal);
  const expiry = createExpiry(dependencies);
  const long = { ...expiry, deadlineMs: 10 * minuteMs };
  const nightly = { ...expiry, name: "norms", deadlineMs: 6 * hourMs };
  return [
    { ...expiry, name: "maintenance", intervalMs: 5 * minuteMs, run: (signal) => removeExpired(dependencies, signal) },
    { ...expiry, name: "due-sessions", intervalMs: 30_000, run: (signal) => emitDueEvents(dependencies, signal) },
    {
      ...expiry,
      name: "group-closing",
      intervalMs: 30_000,
      run: (signal) => closeDueGroups(dependencies, signal),
    },
    { ...long, name: "session-retention", intervalMs: hourMs, run: (signal) => applyRetention(dependencies, signal) },
    ...(hourOfNorms === -1 ? [] : [{ ...nightly, intervalMs: 5 * minuteMs, run: computeDueNorms }]),
    // Each process knows only its own callers.
    { name: "client-use", intervalMs: 5 * minuteMs, deadlineMs: 30_000, run: saveUses },
    { name: "event-backlog", intervalMs: 10_000, deadlineMs: 5_000, run: observeBacklog },
    { name: "audit-anchor", intervalMs: minuteMs, deadlineMs: 30_000, isExclusive: true, run: anchor },
    {
      ...expiry,
      name: "audit-retention",
      intervalMs: hourMs,
      run: (signal) => removeOldAudit(dependencies, auditDays, signal),
    },
    { ...long, name: "norm-release", intervalMs: 5 * minuteMs, run: (signal) => releasePools(dependencies, signal) },
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
  return { name: "webhook-backlog", intervalMs: 15_000, deadlineMs: 5_000, run };
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
    { name: "webhook-delivery", intervalMs: 250, deadlineMs: 5_000, run: deliver },
    { name: "webhook-sweep", intervalMs: 5_000, deadlineMs: 5_000, run: wake },
  ];
}
