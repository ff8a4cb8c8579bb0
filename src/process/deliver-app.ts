// A process that delivers webhooks; its port is for operators only.
import { createGateway } from "../gateway/gateway.ts";
import { closeHttp } from "../transport/http/server.ts";
import type { AppOptions } from "./app.ts";
import { createBacklogJob } from "./background-jobs.ts";
import {
  beginProcess,
  drainAtStop,
  drainMs,
  openProcessDependencies,
  type RunningProcess,
  serveHttp,
} from "./process-base.ts";
import { deliverOnShards, runJobs } from "./run-jobs.ts";
import { createWebhookWiring } from "./webhook-wiring.ts";

/** Starts delivering over a migrated database. Its port has health and metrics only. */
export async function startDeliverApp(options: Omit<AppOptions, "role">): Promise<RunningProcess> {
  const { config, database, webhookKeys = [] } = options;
  await using resources = new AsyncDisposableStack();
  const base = beginProcess(options);
  const { telemetry, httpOptions } = base;
  const processDependencies = openProcessDependencies(resources, base, database);
  const wiring = createWebhookWiring(config.WEBHOOK_KEY ?? webhookKeys, config);
  resources.defer(() => wiring.sender.close());
  const jobs = [createBacklogJob(processDependencies.dependencies, telemetry.deliveries)];
  const shardJobs = [deliverOnShards(base, processDependencies.dependencies, wiring)];
  const { readiness, stop } = await runJobs(base, processDependencies, jobs, shardJobs);
  const http = createGateway({ ...httpOptions, core: undefined, readiness });
  drainAtStop(resources, base).push(stop, () => closeHttp(http, drainMs));
  return await serveHttp(resources, base, http);
}
