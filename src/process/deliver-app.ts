// A process that delivers webhooks and serves nobody but operators.
import { openDatabase } from "../database/database.ts";
import { partnerScopeMeanings } from "../domain/identity/scopes.ts";
import { createGateway } from "../gateway/gateway.ts";
import { BodyBudget } from "../kernel/calls/body-budget.ts";
import { readableUrl } from "../pages/paths.ts";
import { createStores, poolState } from "../store/stores.ts";
import { connectionObserver, deliveryObserver } from "../telemetry/logs/background-log.ts";
import { createMetrics } from "../telemetry/metrics/metrics.ts";
import { createObservers } from "../telemetry/observers.ts";
import { keptReadiness } from "../transport/http/health-routes.ts";
import { closeHttp, listen } from "../transport/http/server.ts";
import type { App, AppOptions } from "./app.ts";
import { deliveryWatch, readinessWatch } from "./background-jobs.ts";
import { deliveringOnShards, shardWork } from "./shard-work.ts";
import { ShardSet } from "./shards.ts";
import {
  databaseReadiness,
  defectReporter,
  drainMs,
  hostClocks,
  openClock,
  openJobs,
  receiveTimeoutMs,
  SchemaGate,
  tidyHeap,
} from "./shared.ts";
import { createWebhookWiring, shareDelivery, webhookNetworks } from "./webhooks.ts";

/** Starts delivering over a migrated database. Its port has health and metrics only. */
export async function startDeliverApp(
  options: Omit<AppOptions, "role">,
): Promise<Omit<App, "grpcPort" | "endConnections">> {
  const { config, database, webhookKeys = [], log, isWorker = false } = options;
  await using started = new AsyncDisposableStack();
  const leaving = new AbortController();
  const stopping = new AbortController();
  const budget = new BodyBudget();
  const metrics = createMetrics(() => budget.usedBytes, {
    connections: () => poolState(db),
    revision: config.REVISION,
  });
  const observed = { address: database, warn: connectionObserver(log), observer: metrics.database };
  const db = openDatabase({ ...observed, poolSize: config.DATABASE_POOL_SIZE });
  started.defer(() => db.destroy());
  const shards = started.use(new ShardSet(db, observed));
  const stores = createStores(db);
  const reportDefect = defectReporter(log, metrics);
  const { clock, guard } = openClock(stores, log, metrics);
  const readiness = keptReadiness(
    databaseReadiness(db, guard, shards, ({ isBehind }) => gate.note(isBehind)),
    leaving.signal,
  );
  const http = createGateway({
    core: undefined,
    budget,
    publicUrl: () => config.PUBLIC_URL ?? "",
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    requestObserver: createObservers(log, metrics).request,
    reportDefect: (error, requestId) => log.error({ err: error, requestId }, "defect"),
    stopping: stopping.signal,
    readableUrl,
    scopes: partnerScopeMeanings,
    readiness,
    metrics: isWorker ? undefined : metrics.scrape,
    metricsToken: config.METRICS_TOKEN,
  });
  const wiring = createWebhookWiring({
    keys: config.WEBHOOK_KEY ?? webhookKeys,
    allowedNetworks: webhookNetworks(config),
  });
  started.defer(() => wiring.sender.close());
  const delivering = deliveringOnShards({
    ...{ observed, stores, wiring, clock, guard, monotonic: hostClocks.monotonic, reportDefect },
    shared: shareDelivery(config.WEBHOOK_CONCURRENCY),
    observe: deliveryObserver(log, metrics),
  });
  const newRunner = () => openJobs(stores, clock, log, metrics);
  const jobs = newRunner();
  // Before the first job: a start that fails later ends them too.
  started.defer(async () => {
    await Promise.all([shards.stop(drainMs), jobs.stop(drainMs), closeHttp(http, drainMs)]);
  });
  started.defer(() => {
    leaving.abort();
    stopping.abort();
  });
  const gate = new SchemaGate(log, () => {
    if (stopping.signal.aborted) return;
    jobs.start(deliveryWatch({ shards: shards.all, metrics: metrics.webhooks }));
    shards.begin(shardWork(newRunner, [delivering]));
  });
  jobs.start(readinessWatch(readiness, shards.check));
  // Its first reading sets the clock that retries go by.
  await readiness();
  await http.ready();
  tidyHeap();
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  const running = started.move();
  return { httpUrl, metrics: metrics.snapshot, leave: async () => leaving.abort(), stop: () => running.disposeAsync() };
}
