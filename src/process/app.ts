// The composition root: database, core and transports, started in this order and stopped in the reverse.
import type { Config } from "../config.ts";
import { type DatabaseAddress, type DatabaseOptions, openDatabase } from "../database/database.ts";
import { partnerScopeMeanings } from "../domain/identity/scopes.ts";
import { createGateway } from "../gateway/gateway.ts";
import { BodyBudget } from "../kernel/calls/body-budget.ts";
import { Connections, connectionBudget } from "../kernel/calls/connections.ts";
import { type Deprecations, deprecatedRpcs, deprecationHeaders, deprecationOf } from "../kernel/rpc-options.ts";
import { readableUrl } from "../pages/paths.ts";
import { addWeb } from "../pages/web.ts";
import { createAdmission } from "../pipeline/limits/admission.ts";
import { EventWatch } from "../services/events/event-watch.ts";
import { maxExportPages } from "../services/exports/export-service.ts";
import { createStores, poolState } from "../store/stores.ts";
import { connectionObserver, deliveryObserver } from "../telemetry/logs/background-log.ts";
import type { Logger } from "../telemetry/logs/logger.ts";
import type { MetricsSnapshot } from "../telemetry/metrics/exposition.ts";
import { certificateExpiries } from "../telemetry/metrics/families/process-metrics.ts";
import { createMetrics } from "../telemetry/metrics/metrics.ts";
import { backgroundObservers, createObservers } from "../telemetry/observers.ts";
import { openTracing } from "../telemetry/tracing/open-tracing.ts";
import { withTracing } from "../telemetry/tracing/tracing.ts";
import { connectTransport } from "../transport/connect/connect-transport.ts";
import { grpcCredentials } from "../transport/grpc/credentials.ts";
import { startGrpcServer } from "../transport/grpc/server.ts";
import { keptReadiness } from "../transport/http/health-routes.ts";
import { addressBehind, proxyTest } from "../transport/http/request-record.ts";
import { closeHttp, listen } from "../transport/http/server.ts";
import { backgroundJobs, deliveryWatch, readinessWatch, shardJobs } from "./background-jobs.ts";
import { createCore, createDomain, services } from "./core.ts";
import { openSequencer } from "./event-sequencer.ts";
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

const lastSaveMs = 1_000;

export interface App {
  readonly httpUrl: string;
  readonly grpcPort: number;
  /** All metrics, for a process that adds up those of several. */
  metrics(): Promise<MetricsSnapshot>;
  /** Says that it is not ready and asks callers to leave their connections, and serves on. */
  leave(): Promise<void>;
  /** Has callers go on over other connections, which may be to this process as well, and serves on. */
  endConnections(): void;
  /** Refuses new work, lets running requests end within 10 seconds, then closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  /** `core`: without the REST routes, which a gateway of its own serves. */
  readonly role: "all" | "core";
  readonly database: DatabaseAddress;
  /** Keys of webhook secrets where none is configured. */
  readonly webhookKeys?: readonly Uint8Array[];
  readonly log: Logger;
  /** Whether it shares its ports with others, so that metrics are served elsewhere. */
  readonly isWorker?: boolean;
  /** Rpcs that callers should leave; those of the protos unless given. */
  readonly deprecations?: Deprecations;
}

/** Connections of exports to a replica: as many as pages are read at a time. */
function openReplica(url: string, observed: Pick<DatabaseOptions, "warn" | "observer">) {
  return openDatabase({ ...observed, address: { url }, poolSize: maxExportPages });
}

/** Starts the ports over a migrated database. Whatever was started is stopped again where a later part fails. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, role, database, webhookKeys = [], log, isWorker = false, deprecations = deprecationOf } = options;
  await using started = new AsyncDisposableStack();
  const leaving = new AbortController();
  const stopping = new AbortController();
  const warn = connectionObserver(log);
  const budget = new BodyBudget();
  const connectionBytes = connectionBudget();
  const metrics = createMetrics(() => budget.usedBytes, {
    connections: () => poolState(db),
    calls: () => admission.state,
    eventWaiters: () => watch.waiting,
    connectionBytes: () => connectionBytes.used,
    revision: config.REVISION,
    deprecated: deprecatedRpcs(
      services.flatMap(({ methods }) => methods),
      deprecations,
    ),
    certificates: await certificateExpiries({ grpc: config.GRPC_TLS_CERT_FILE }),
  });
  const tracing = await openTracing(config, metrics.observeSpans);
  started.defer(() => tracing?.stop());
  const observed = { address: database, warn, observer: withTracing(metrics.database, tracing) };
  const db = openDatabase({ ...observed, poolSize: config.DATABASE_POOL_SIZE });
  started.defer(() => db.destroy());
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const replica = replicaUrl === undefined ? db : openReplica(replicaUrl, observed);
  if (replica !== db) started.defer(() => replica.destroy());
  const shards = started.use(new ShardSet(db, observed));
  const stores = createStores(db, replica);
  const admission = createAdmission(config, hostClocks.monotonic, metrics.admission);
  const watch = new EventWatch(shards.all);
  const reportDefect = defectReporter(log, metrics);
  let publicUrl = config.PUBLIC_URL ?? "";
  const observers = createObservers(log, metrics, { call: tracing?.endCall });
  const { clock, guard } = openClock(stores, log, metrics);
  const webhooks = createWebhookWiring({
    keys: config.WEBHOOK_KEY ?? webhookKeys,
    allowedNetworks: webhookNetworks(config),
  });
  started.defer(() => webhooks.sender.close());
  const domain = createDomain({
    stores,
    shards: shards.all,
    reportDefect,
    clock,
    trustedClock: guard,
    hasReplica: replica !== db,
    keyDays: config.IDEMPOTENCY_RETENTION_DAYS,
    observeAppended: metrics.audit.observeAppended,
    measured: tracing?.measured,
  });
  const renderer = domain.catalogue.product.createRenderer();
  started.defer(() => renderer.close());
  started.defer(() => domain.trail.idle());
  started.defer(() => domain.clientUses.save(AbortSignal.timeout(lastSaveMs)).catch(() => undefined));
  const core = createCore({
    domain,
    admission,
    watch,
    webhooks,
    config,
    publicUrl: () => publicUrl,
    // The pages of a core are at its gateway.
    pagesUrl: () => (role === "core" ? config.PUBLIC_URL : publicUrl),
    observer: observers.call,
    tracing,
    renderer,
  });

  const credentials = await grpcCredentials({
    certificate: config.GRPC_TLS_CERT_FILE,
    key: config.GRPC_TLS_KEY_FILE,
    clientAuthority: config.GRPC_TLS_CLIENT_CA_FILE,
  });
  const { HOST: host, GRPC_PORT: port } = config;
  const headersOf = deprecationHeaders(deprecations, () => publicUrl);
  const grpc = await startGrpcServer({
    core,
    services,
    deprecationHeaders: headersOf,
    budget,
    host,
    port,
    credentials,
    receiveTimeoutMs,
    addressOf: addressBehind(config.TRUSTED_PROXIES),
    connections: new Connections(connectionBytes, proxyTest(config.TRUSTED_PROXIES)),
  });
  const drains = [() => grpc.stop(drainMs)];
  started.defer(async () => {
    await Promise.all(drains.map((drain) => drain()));
  });
  const askDatabase = databaseReadiness(db, guard, shards, ({ isBehind }) => gate.note(isBehind));
  const readiness = keptReadiness(askDatabase, leaving.signal, grpc.setServing);
  const jobs = openJobs(stores, clock, log, metrics);
  const watched = backgroundObservers(log, metrics);
  const background = [...backgroundJobs({ domain, ...watched, config })];
  if (role === "all") background.push(deliveryWatch({ shards: shards.all, metrics: metrics.webhooks }));
  const delivering = deliveringOnShards({
    ...{ observed, stores, wiring: webhooks, clock, guard, monotonic: hostClocks.monotonic, reportDefect },
    shared: shareDelivery(config.WEBHOOK_CONCURRENCY),
    observe: deliveryObserver(log, metrics),
  });
  const workOn = shardWork(
    () => openJobs(stores, clock, log, metrics),
    [
      (shard) => {
        const {
          sequencer,
          log: eventLog,
          ...opened
        } = openSequencer({ ...observed, address: shard.address }, metrics.events.observePublished);
        const jobs = shardJobs({ domain: { ...domain, ...shard }, sequencer, log: eventLog, ...watched, config });
        return { ...opened, jobs, stop: async () => undefined };
      },
      ...(role === "all" ? [delivering] : []),
    ],
  );
  drains.push(
    () => jobs.stop(drainMs),
    () => shards.stop(drainMs),
  );
  const gate = new SchemaGate(log, () => {
    if (stopping.signal.aborted) return;
    for (const job of background) jobs.start(job);
    shards.begin(workOn);
  });
  jobs.start(readinessWatch(readiness, shards.check));
  const reportRequestDefect = (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect");
  const http = createGateway({
    core: role === "all" ? core : undefined,
    budget,
    publicUrl: () => publicUrl,
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    origins: config.CORS_ORIGINS,
    requestObserver: observers.request,
    reportDefect: reportRequestDefect,
    leaving: leaving.signal,
    stopping: stopping.signal,
    readableUrl,
    scopes: partnerScopeMeanings,
    deprecations,
    readiness,
    metrics: isWorker ? undefined : metrics.scrape,
    metricsToken: config.METRICS_TOKEN,
  });
  drains.push(() => closeHttp(http, drainMs));
  await http.register(connectTransport({ core, services, budget, deprecationHeaders: headersOf }));
  if (role === "all") {
    await addWeb(http, { core, budget, publicUrl: () => publicUrl, reportDefect: reportRequestDefect });
  }
  await http.ready();
  tidyHeap();
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  publicUrl = config.PUBLIC_URL ?? httpUrl;

  started.defer(() => {
    leaving.abort();
    stopping.abort();
    watch.stop();
    grpc.setServing(false);
  });
  await readiness();
  const running = started.move();
  return {
    httpUrl,
    grpcPort: grpc.port,
    metrics: metrics.snapshot,
    async leave() {
      leaving.abort();
      await readiness();
    },
    endConnections: grpc.endConnections,
    stop: () => running.disposeAsync(),
  };
}
