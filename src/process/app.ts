// The composition root: database, core and transports, started in this order and stopped in the reverse.
import { setImmediate as nextIteration } from "node:timers/promises";
import type { DatabaseAddress } from "../database/database.ts";
import { createGateway } from "../gateway/gateway.ts";
import { services } from "../kernel/services.ts";
import { Connections } from "../limits/connections.ts";
import { addWeb } from "../pages/web.ts";
import { createCallSlots } from "../pipeline/limits/slots.ts";
import { openTracing, readCertificateExpiries } from "../telemetry/telemetry.ts";
import { createConnectTransport } from "../transport/connect/connect-transport.ts";
import { readGrpcCredentials, startGrpcServer } from "../transport/grpc/server.ts";
import { createAddressReader, createProxyTest } from "../transport/http/request-record.ts";
import { closeHttp } from "../transport/http/server.ts";
import { createBackgroundJobs, createBacklogJob, createLogJobs } from "./background-jobs.ts";
import { createCore } from "./core.ts";
import {
  beginProcess,
  drainAtStop,
  drainMs,
  openProcessDependencies,
  type ProcessOptions,
  type RunningProcess,
  receiveTimeoutMs,
  serveHttp,
} from "./process-base.ts";
import { type CreateShardJobs, deliverOnShards, openSequencer, runJobs } from "./run-jobs.ts";
import { createWebhookWiring } from "./webhook-wiring.ts";

const lastSaveMs = 1_000;

export interface App extends RunningProcess {
  readonly grpcPort: number;
  /** Asks callers to reconnect, perhaps to this process again, and still serves. */
  endConnections(): void;
}

export interface AppOptions extends ProcessOptions {
  /** `core`: without REST routes, which a gateway in its own process serves. */
  readonly role: "all" | "core";
  readonly database: DatabaseAddress;
  /** Keys of webhook secrets if none is configured. */
  readonly webhookKeys?: readonly Uint8Array[];
}

/** Starts the ports over a migrated database. If a part fails, the parts started before it are stopped again. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, role, database, webhookKeys = [] } = options;
  await using resources = new AsyncDisposableStack();
  const base = beginProcess(options, {
    certificates: await readCertificateExpiries({ grpc: config.GRPC_TLS_CERT_FILE }),
  });
  const { bodies, publicUrl, telemetry, httpOptions } = base;
  const tracing = await openTracing(config, telemetry.observeSpans);
  resources.defer(() => tracing?.stop());
  const processDependencies = openProcessDependencies(resources, base, database, tracing);
  const { dependencies } = processDependencies;
  const callSlots = createCallSlots(config, telemetry.observeRefused);
  const webhooks = createWebhookWiring(config.WEBHOOK_KEY ?? webhookKeys, config);
  resources.defer(() => webhooks.sender.close());
  const { watch } = dependencies;
  telemetry.addSource("calls", () => {
    const idle = watch.waiting + callSlots.waiting.servers.state.running;
    return { ...callSlots.running.state, idle };
  });
  const renderer = dependencies.catalogue.product.createRenderer();
  resources.defer(() => renderer.close());
  resources.defer(() => dependencies.trail.waitUntilIdle());
  resources.defer(() => dependencies.clientUses.save(AbortSignal.timeout(lastSaveMs)).catch(() => undefined));
  const core = createCore({
    dependencies,
    callSlots,
    webhooks,
    config,
    publicUrl,
    // The gateway of a core serves its pages.
    pagesUrl: role === "core" ? () => config.PUBLIC_URL ?? "" : publicUrl,
    observer: telemetry.observeCall,
    tracing,
    renderer,
  });

  const credentials = await readGrpcCredentials({
    certificate: config.GRPC_TLS_CERT_FILE,
    key: config.GRPC_TLS_KEY_FILE,
    clientAuthority: config.GRPC_TLS_CLIENT_CA_FILE,
  });
  const rpcs = { core, services, bodies, publicUrl };
  const grpc = await startGrpcServer({
    ...rpcs,
    host: config.HOST,
    port: config.GRPC_PORT,
    credentials,
    receiveTimeoutMs,
    resolveAddress: createAddressReader(config.TRUSTED_PROXIES),
    connections: new Connections(httpOptions.connectionMemory, createProxyTest(config.TRUSTED_PROXIES)),
  });
  const drains = drainAtStop(resources, base);
  drains.push(async () => {
    watch.stop();
    grpc.setServing(false);
    // The library writes to watchers in a later iteration of the loop.
    await nextIteration();
    await grpc.stop(drainMs);
  });
  const jobs = [...createBackgroundJobs(dependencies, telemetry.upkeep, config)];
  const createSequencing: CreateShardJobs = ({ options: shardOptions, resources: shardResources }) =>
    createLogJobs(dependencies, shardResources.use(openSequencer(shardOptions, telemetry.observePublished)), config);
  const shardJobs = [createSequencing];
  if (role === "all") {
    jobs.push(createBacklogJob(dependencies, telemetry.deliveries));
    shardJobs.push(deliverOnShards(base, dependencies, webhooks));
  }
  const { readiness, stop } = await runJobs(base, processDependencies, jobs, shardJobs, grpc.setServing);
  drains.push(stop);
  const http = createGateway({ ...httpOptions, core: role === "all" ? core : undefined, readiness });
  drains.push(() => closeHttp(http, drainMs));
  await http.register(createConnectTransport(rpcs));
  if (role === "all") await addWeb(http, { ...httpOptions, core });
  const running = await serveHttp(resources, base, http);
  return { ...running, grpcPort: grpc.port, endConnections: grpc.endConnections };
}
