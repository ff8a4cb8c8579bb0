// Every background job of a process with a pipeline.
import type { Config } from "../config.ts";
import type { Shards } from "../domain/shards.ts";
import type { TrustedClock } from "../domain/trusted-clock.ts";
import type { Job } from "../jobs/job.ts";
import type { Paging } from "../kernel/environment.ts";
import { type AnchorPosition, ChainAnchorer } from "../services/audit/anchors.ts";
import { expireAudit } from "../services/audit/retention.ts";
import type { Sequencer } from "../services/events/sequencer.ts";
import { closeDueGroups } from "../services/groups/closing.ts";
import { releasePools } from "../services/norms/pool-release.ts";
import { computeNorms, lastNight } from "../services/norms/run.ts";
import { endKeys, expireEvents, removeExpired } from "../services/retention/maintenance.ts";
import { applyRetention, type ObserveDeleted } from "../services/retention/retention.ts";
import { expireByTestClocks } from "../services/sandbox/test-clock.ts";
import { expireSessions } from "../services/sessions/upkeep.ts";
import { countUsage } from "../services/usage/usage.ts";
import type { EventStore } from "../store/events/event-store.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { Domain } from "./core.ts";

export interface ShardJobDeps {
  /** With the stores of the shard. */
  readonly domain: Domain;
  readonly sequencer: Pick<Sequencer, "run">;
  /** On a connection that the database closes when the process freezes. */
  readonly log: Pick<EventStore, "expireEvents">;
  /** Called with the number of sessions that were deleted by a policy. */
  readonly observeDeleted: ObserveDeleted;
  /** Called with the number of idempotency keys that were removed. */
  readonly observeEndedKeys: (keys: number) => void;
  readonly config: Pick<Config, "NORMS_HOUR" | "EVENT_INTERVAL_MS" | "EVENT_RETENTION_DAYS">;
}

export interface BackgroundJobDeps {
  readonly domain: Domain;
  /** Called with the age of the oldest write without a published event, in seconds. */
  readonly observeUnpublished: (seconds: number) => void;
  /** Called with every new anchor of the audit log. */
  readonly observeAnchor: (anchor: AnchorPosition) => void;
  readonly config: Pick<Config, "AUDIT_KEY" | "AUDIT_RETENTION_DAYS">;
}

/**
 * Checks regularly whether requests can be served, whatever else is wrong.
 * @param readiness runs the check, and reports its result
 * @param check throws what else went wrong in the last check
 */
export function readinessWatch(readiness: () => Promise<unknown>, check = (): void => undefined): Job {
  return {
    name: "readiness-watch",
    intervalMs: 2_000,
    deadlineMs: 5_000,
    async run() {
      await readiness();
      check();
    },
  };
}

/** The job of one shard, with its own name, lease and metrics. */
export function ofShard(job: Job, shard: string): Job {
  return shard === "" ? job : { ...job, name: `${job.name}@${shard}` };
}

/** The jobs of each shard. Names never change: they are labels of metrics and keys of leases. */
export function shardJobs(deps: ShardJobDeps): readonly Job[] {
  const { domain, sequencer, log, observeDeleted, observeEndedKeys, config } = deps;
  return [
    {
      name: "maintenance",
      intervalMs: 5 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => removeExpired(domain, signal),
    },
    {
      name: "usage",
      intervalMs: 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => countUsage(domain, signal),
    },
    {
      name: "session-expiry",
      intervalMs: 30_000,
      deadlineMs: 60_000,
      isExclusive: true,
      async run(signal) {
        await expireSessions(domain, signal);
        await expireByTestClocks(domain, signal);
      },
    },
    {
      name: "group-closing",
      intervalMs: 30_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => closeDueGroups(domain, signal),
    },
    {
      name: "session-retention",
      intervalMs: 60 * 60_000,
      deadlineMs: 10 * 60_000,
      isExclusive: true,
      run: (signal) => applyRetention(domain, observeDeleted, signal),
    },
    {
      name: "idempotency-keys",
      intervalMs: 5 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => endKeys(domain, observeEndedKeys, signal),
    },
    {
      // Each process tries; the log lets one of them write.
      name: "event-sequencer",
      intervalMs: config.EVENT_INTERVAL_MS,
      deadlineMs: 10_000,
      run: (signal) => sequencer.run(signal),
    },
    {
      name: "event-retention",
      intervalMs: 5 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) =>
        expireEvents({ events: log, trustedClock: domain.trustedClock }, config.EVENT_RETENTION_DAYS, signal),
    },
    ...(config.NORMS_HOUR === -1 ? [] : [normsJob(domain, config.NORMS_HOUR)]),
  ];
}

/** The jobs for all shards together, and for the process itself. */
export function backgroundJobs(deps: BackgroundJobDeps): readonly Job[] {
  const { domain, observeUnpublished, observeAnchor, config } = deps;
  const anchoring = { ...domain, auditKeys: config.AUDIT_KEY ?? [] };
  const anchorer = new ChainAnchorer(anchoring);
  return [
    {
      // Each process knows only its own callers.
      name: "client-use",
      intervalMs: 5 * 60_000,
      deadlineMs: 30_000,
      run: (signal) => domain.clientUses.save(signal),
    },
    {
      name: "event-backlog",
      intervalMs: 10_000,
      deadlineMs: 5_000,
      async run(signal) {
        const ages = await Promise.all(domain.shards().map(({ events }) => events.findUnpublishedAge(signal)));
        observeUnpublished(Math.max(...ages));
      },
    },
    {
      name: "audit-anchor",
      intervalMs: 60_000,
      deadlineMs: 30_000,
      isExclusive: true,
      async run(signal) {
        for await (const anchor of anchorer.run(signal)) observeAnchor(anchor);
      },
    },
    {
      name: "audit-retention",
      intervalMs: 60 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => expireAudit(anchoring, config.AUDIT_RETENTION_DAYS, signal),
    },
    {
      name: "norm-release",
      intervalMs: 5 * 60_000,
      deadlineMs: 10 * 60_000,
      isExclusive: true,
      run: (signal) => releasePools(domain, signal),
    },
  ];
}

export interface DeliveryJobDeps extends Paging {
  readonly deliveries: Pick<DeliveryStore, "wakeEndpoints" | "deleteExpiredDeliveries">;
  readonly deliverer: { run(signal: AbortSignal): Promise<void> };
  readonly trustedClock: TrustedClock;
}

export interface DeliveryWatchDeps {
  readonly shards: Shards<{ readonly deliveries: Pick<DeliveryStore, "readDeliveryState"> }>;
  readonly metrics: {
    readonly endpoints: { set(labels: { state: string }, count: number): void };
    readonly behind: { set(seconds: number): void };
  };
}

const batch = 1_000;

/** Reports the state of deliveries of all shards, in a process that delivers webhooks. */
export function deliveryWatch({ shards, metrics }: DeliveryWatchDeps): Job {
  return {
    name: "webhook-backlog",
    intervalMs: 15_000,
    deadlineMs: 5_000,
    async run(signal) {
      const states = await Promise.all(shards().map(({ deliveries }) => deliveries.readDeliveryState(signal)));
      const counts = new Map<string, number>();
      for (const [state, count] of states.flatMap(({ endpoints }) => Object.entries(endpoints))) {
        counts.set(state, (counts.get(state) ?? 0) + count);
      }
      for (const [state, count] of counts) metrics.endpoints.set({ state }, count);
      metrics.behind.set(Math.max(...states.map(({ behindSeconds }) => behindSeconds)));
    },
  };
}

/** The jobs of a shard in a process that delivers webhooks. */
export function deliveryJobs(deps: DeliveryJobDeps): readonly Job[] {
  const { deliveries, deliverer, trustedClock, mostAtOnce = batch } = deps;
  return [
    {
      // Processes share the deliveries: each claims some.
      name: "webhook-delivery",
      intervalMs: 250,
      deadlineMs: 5_000,
      run: (signal) => deliverer.run(signal),
    },
    {
      name: "webhook-sweep",
      intervalMs: 5_000,
      deadlineMs: 5_000,
      run: (signal) => deliveries.wakeEndpoints(mostAtOnce, signal),
    },
    {
      name: "webhook-retention",
      intervalMs: 5 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      async run(signal) {
        while (!signal.aborted && (await deliveries.deleteExpiredDeliveries(mostAtOnce, trustedClock.now(), signal)));
      },
    },
  ];
}

function normsJob(domain: Domain, hour: number): Job {
  let done = new Date(0);
  return {
    name: "norms",
    intervalMs: 5 * 60_000,
    deadlineMs: 6 * 60 * 60_000,
    isExclusive: true,
    async run(signal) {
      const night = lastNight(domain.trustedClock.now(), hour);
      if (night > done) await computeNorms(domain, night, signal);
      done = night;
    },
  };
}
