// Every background job of a process with a pipeline.
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config.ts";
import type { Domain } from "./core.ts";
import { removeExpired } from "./domain/maintenance.ts";
import { runNormPass } from "./domain/norms/pass.ts";
import type { Job } from "./jobs/job.ts";

export interface BackgroundJobDeps {
  readonly domain: Domain;
  /** Finds out whether requests will be served, and tells those who watch. */
  readonly readiness: () => Promise<unknown>;
  readonly config: Pick<Config, "NORMS_INTERVAL_SECONDS">;
}

/** What a process does without being asked. Names are for ever: they are labels of metrics and keys of leases. */
export function backgroundJobs({ domain, readiness, config }: BackgroundJobDeps): readonly Job[] {
  return [
    {
      name: "readiness-watch",
      intervalMs: 2_000,
      deadlineMs: 5_000,
      async run() {
        await readiness();
      },
    },
    {
      name: "maintenance",
      intervalMs: 5 * 60_000,
      deadlineMs: 60_000,
      isExclusive: true,
      run: (signal) => removeExpired(domain, signal),
    },
    ...(config.NORMS_INTERVAL_SECONDS === 0 ? [] : [normsJob(domain, config.NORMS_INTERVAL_SECONDS)]),
  ];
}

function normsJob(domain: Domain, intervalSeconds: number): Job {
  return {
    name: "norms",
    intervalMs: intervalSeconds * 1000,
    deadlineMs: 60_000,
    isExclusive: true,
    run: (signal) => runNormPass({ ...domain, pause: (ms) => sleep(ms, undefined, { signal }) }, signal),
  };
}
