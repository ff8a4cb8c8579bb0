// The composition root: database, core and doors, started in this order and stopped in the reverse.
import { randomBytes } from "node:crypto";
import { backgroundJobs, deliveryJobs } from "./background-jobs.ts";
import type { Config } from "./config.ts";
import { BodyBudget } from "./contract/body-budget.ts";
import { createAdmission, createCore, createDomain, services } from "./core.ts";
import { EventWatch } from "./domain/events/event-watch.ts";
import { partnerScopeMeanings } from "./domain/identity/scopes.ts";
import { SharedClock } from "./domain/shared-clock.ts";
import { openSequencer } from "./event-sequencer.ts";
import { createGateway } from "./gateway/gateway.ts";
import type { Readiness } from "./http/health-routes.ts";
import { keptReadiness } from "./http/readiness.ts";
import { closeHttp, listen } from "./http/server.ts";
import { addressBehind } from "./http/trusted-proxies.ts";
import { JobRunner } from "./jobs/runner.ts";
import { systemTimers } from "./jobs/timers.ts";
import { createReportRenderer } from "./report-rendering/renderer.ts";
import { connectDoor } from "./rpc/connect/door.ts";
import { grpcCredentials } from "./rpc/grpc/credentials.ts";
import { startGrpcServer } from "./rpc/grpc/server.ts";
import { type DatabaseAddress, openDatabase } from "./store/database.ts";
import { askReadiness } from "./store/readiness.ts";
import { createStores, poolState } from "./store/stores.ts";
import { connectionObserver } from "./telemetry/connection-log.ts";
import { deliveryObserver } from "./telemetry/delivery-log.ts";
import { jobObserver } from "./telemetry/job-log.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { createObservers } from "./telemetry/observers.ts";
import { readableUrl } from "./web/paths.ts";
import { addWeb } from "./web/web.ts";
import { createDeliverer } from "./webhook-deliverer.ts";
import { createWebhookParts } from "./webhook-parts.ts";

const drainMs = 10_000;
const receiveTimeoutMs = 15_000;
const readinessTimeoutMs = 2_000;

export interface App {
  readonly httpUrl: string;
  readonly grpcPort: number;
  /** Says that it is not ready and asks callers to leave their connections, and serves on. */
  leave(): Promise<void>;
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
}

/** Starts the ports over a migrated database. Whatever was started is stopped again where a later part fails. */
export async function startApp({ config, role, database, webhookKeys = [], log }: AppOptions): Promise<App> {
  await using started = new AsyncDisposableStack();
  const leaving = new AbortController();
  const stopping = new AbortController();
  const isLeaving = () => leaving.signal.aborted;
  const warn = connectionObserver(log);
  const db = openDatabase({ address: database, poolSize: config.DATABASE_POOL_SIZE, warn });
  started.defer(() => db.destroy());
  const stores = createStores(db);
  const admission = createAdmission(config);
  const watch = new EventWatch(stores.events);
  const budget = new BodyBudget();
  const metrics = createMetrics(() => budget.usedBytes, {
    connections: () => poolState(db),
    calls: () => admission.state,
    eventWaiters: () => watch.waiting,
  });
  const { sequencer } = started.use(openSequencer({ address: database, warn }, metrics.events.observePublished));
  const reportDefect = (error: unknown, what: string) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
  let publicUrl = config.PUBLIC_URL ?? "";
  const observers = createObservers(log, metrics);
  const clocks = { system: () => Date.now(), monotonic: () => performance.now() };
  const shared = new SharedClock(clocks.system, clocks.monotonic);
  const clock = shared.now;
  let hasRolledOut = false;
  const webhooks = createWebhookParts({
    keys: config.WEBHOOK_KEY ?? webhookKeys,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  });
  started.defer(() => webhooks.sender.close());
  const renderer = createReportRenderer();
  started.defer(() => renderer.close());
  const domain = createDomain({ stores, reportDefect, clock, isRolledOut: () => hasRolledOut });
  const core = createCore({
    domain,
    admission,
    watch,
    webhooks,
    config,
    publicUrl: () => publicUrl,
    observer: observers.call,
    renderer,
  });

  const credentials = await grpcCredentials({
    certificate: config.GRPC_TLS_CERT_FILE,
    key: config.GRPC_TLS_KEY_FILE,
    clientAuthority: config.GRPC_TLS_CLIENT_CA_FILE,
  });
  const { HOST: host, GRPC_PORT: port } = config;
  const addressOf = addressBehind(config.TRUSTED_PROXIES);
  const grpc = await startGrpcServer({
    core,
    services,
    budget,
    host,
    port,
    credentials,
    receiveTimeoutMs,
    addressOf,
  });
  const drains = [() => grpc.stop(drainMs)];
  started.defer(async () => {
    await Promise.all(drains.map((drain) => drain()));
  });
  const askDatabase = async (): Promise<Readiness> => {
    const { fault, reading, isRolledOut } = await askReadiness(db, clocks, AbortSignal.timeout(readinessTimeoutMs));
    if (reading !== undefined) shared.follow(reading);
    if (isRolledOut) hasRolledOut = true;
    return fault === undefined ? { isReady: true } : { isReady: false, reason: fault };
  };
  const readiness = keptReadiness(askDatabase, isLeaving, grpc.setServing);
  const reportRequestDefect = (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect");
  const http = createGateway({
    core: role === "all" ? core : undefined,
    budget,
    publicUrl: () => publicUrl,
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    requestObserver: observers.request,
    reportDefect: reportRequestDefect,
    isLeaving,
    isStopping: () => stopping.signal.aborted,
    readableUrl,
    scopes: partnerScopeMeanings,
    readiness,
    metrics: metrics.text,
    metricsToken: config.METRICS_TOKEN,
  });
  drains.push(() => closeHttp(http, drainMs));
  await http.register(connectDoor({ core, services, budget }));
  if (role === "all") {
    await addWeb(http, { core, budget, publicUrl: () => publicUrl, reportDefect: reportRequestDefect });
  }
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  publicUrl = config.PUBLIC_URL ?? httpUrl;

  const jobs = new JobRunner({
    timers: systemTimers,
    clock,
    random: randomBytes,
    leases: stores.jobLeases,
    observe: jobObserver(log, metrics),
  });
  const observeUnpublished = (seconds: number) => metrics.events.unpublished.set(seconds);
  for (const job of backgroundJobs({ domain, sequencer, observeUnpublished, readiness, config })) jobs.start(job);
  if (role === "all") {
    const observe = deliveryObserver(log, metrics);
    const concurrency = config.WEBHOOK_CONCURRENCY;
    const deliverer = createDeliverer({ stores, parts: webhooks, clock, concurrency, observe, reportDefect });
    for (const job of deliveryJobs({ ...stores, deliverer, metrics: metrics.webhooks })) jobs.start(job);
    drains.push(() => deliverer.stop(drainMs));
  }
  drains.push(() => jobs.stop(drainMs));
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
    async leave() {
      leaving.abort();
      await readiness();
    },
    stop: () => running.disposeAsync(),
  };
}
