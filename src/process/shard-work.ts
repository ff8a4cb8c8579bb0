// What a process does on one shard, on connections of its own: each part of it has jobs, and ends.
import type { DatabaseOptions } from "../database/database.ts";
import type { TrustedClock } from "../domain/trusted-clock.ts";
import type { Job } from "../jobs/job.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { deliveryJobs, ofShard } from "./background-jobs.ts";
import type { OpenShard, ShardWork } from "./shards.ts";
import { createDeliverer, type DelivererOptions, openTurns } from "./webhooks.ts";

/** A part of the work on a shard. */
export interface ShardPart extends AsyncDisposable {
  readonly jobs: readonly Job[];
  /** Lets what runs beside the jobs end within the time. */
  stop(patienceMs: number): Promise<void>;
}

/** @param newRunner makes what runs the jobs of one shard. @param parts what is done on each */
export function shardWork(
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

/** Delivers webhooks of a shard, on a connection of its own for the turns. */
export function deliveringOnShards({
  observed,
  guard,
  stores,
  ...options
}: Omit<DelivererOptions, "turns" | "isTrusted"> & {
  readonly observed: Pick<DatabaseOptions, "warn" | "observer">;
  readonly guard: TrustedClock & { readonly isTrusted: () => boolean };
}): (shard: OpenShard) => ShardPart {
  return (shard) => {
    const { turns, ...opened } = openTurns({ ...observed, address: shard.address });
    const { isTrusted } = guard;
    const deliverer = createDeliverer({ ...options, stores: { ...stores, ...shard }, turns, isTrusted });
    const jobs = deliveryJobs({ ...shard, deliverer, trustedClock: guard });
    return { ...opened, jobs, stop: (patienceMs) => deliverer.stop(patienceMs) };
  };
}
