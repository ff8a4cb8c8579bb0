// The composition root: database, core and doors, started in this order and stopped in the reverse.
import { createContextValues, type Transport } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { compressionGzip } from "@connectrpc/connect-node";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { Config } from "./config.ts";
import { callOrigin } from "./contract/call-origin.ts";
import { metadata, traceparentOf } from "./contract/metadata.ts";
import { createAdmission, createCore, services } from "./core.ts";
import { partnerScopeMeanings } from "./domain/identity/scopes.ts";
import { removeExpired } from "./domain/maintenance.ts";
import { createGateway } from "./gateway/gateway.ts";
import { Problem } from "./http/problem.ts";
import { schemaReadiness } from "./http/readiness.ts";
import { closeHttp, listen, maxBodyBytes } from "./http/server.ts";
import { connectRoutes } from "./rpc/connect-routes.ts";
import { grpcCredentials } from "./rpc/grpc/credentials.ts";
import { startGrpcServer } from "./rpc/grpc/server.ts";
import { type DatabaseAddress, openDatabase } from "./store/database.ts";
import { pendingMigrations } from "./store/migrate.ts";
import { createStores, poolState } from "./store/stores.ts";
import { callObserver } from "./telemetry/call-log.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { readableUrl } from "./web/paths.ts";
import { addWeb } from "./web/web.ts";

const drainMs = 10_000;
const receiveTimeoutMs = 15_000;
const readinessTimeoutMs = 2_000;
const watchIntervalMs = 2_000;
const maintenanceIntervalMs = 5 * 60_000;

export interface App {
  readonly httpUrl: string;
  readonly grpcPort: number;
  /** Refuses new work, lets running requests end within 10 seconds, then closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  /** `core`: without the REST routes, which a gateway of its own serves. */
  readonly role: "all" | "core";
  readonly database: DatabaseAddress;
  readonly log: Logger;
}

/** Starts the ports over a migrated database. Whatever was started is stopped again where a later part fails. */
export async function startApp({ config, role, database, log }: AppOptions): Promise<App> {
  await using started = new AsyncDisposableStack();
  const stopping = new AbortController();
  const db = openDatabase({ address: database, poolSize: config.DATABASE_POOL_SIZE, warn: (what) => log.warn(what) });
  started.defer(() => db.destroy());
  const stores = createStores(db);
  const admission = createAdmission(config);
  const metrics = createMetrics({ connections: () => poolState(db), calls: () => admission.state });
  const reportDefect = (error: unknown, what: string) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
  let publicUrl = config.PUBLIC_URL ?? "";
  const observer = callObserver(log, metrics);
  const transport = createCore({ stores, admission, config, publicUrl: () => publicUrl, observer, reportDefect });

  const credentials = await grpcCredentials({
    certificate: config.GRPC_TLS_CERT_FILE,
    key: config.GRPC_TLS_KEY_FILE,
    clientAuthority: config.GRPC_TLS_CLIENT_CA_FILE,
  });
  const { HOST: host, GRPC_PORT: port } = config;
  const grpc = await startGrpcServer({ transport, services, host, port, credentials, receiveTimeoutMs });
  const doors = [() => grpc.stop(drainMs)];
  started.defer(async () => {
    await Promise.all(doors.map((close) => close()));
  });
  const pending = () => pendingMigrations(db, AbortSignal.timeout(readinessTimeoutMs));
  const readiness = schemaReadiness(pending, () => stopping.signal.aborted, grpc.setServing);
  const reportRequestDefect = (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect");
  const http = createGateway({
    transport: role === "all" ? transport : undefined,
    publicUrl: () => publicUrl,
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    reportDefect: reportRequestDefect,
    isStopping: () => stopping.signal.aborted,
    readableUrl,
    scopes: partnerScopeMeanings,
    readiness,
    metrics: metrics.text,
    metricsToken: config.METRICS_TOKEN,
  });
  doors.push(() => closeHttp(http, drainMs));
  await http.register(connectDoor(transport));
  if (role === "all") await addWeb(http, { transport, publicUrl: () => publicUrl, reportDefect: reportRequestDefect });
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  publicUrl = config.PUBLIC_URL ?? httpUrl;

  const watch = setInterval(() => void readiness(), watchIntervalMs);
  const tidy = () => removeExpired({ ...stores, clock: Date.now }, stopping.signal);
  const maintenance = setInterval(() => {
    tidy().catch((error: unknown) => log.warn({ err: error }, "expired tokens and links could not be removed"));
  }, maintenanceIntervalMs);
  started.defer(() => {
    stopping.abort();
    clearInterval(watch);
    clearInterval(maintenance);
    grpc.setServing(false);
  });
  await readiness();
  const running = started.move();
  return { httpUrl, grpcPort: grpc.port, stop: () => running.disposeAsync() };
}

/** The Connect door, which reads bodies by itself and so must not share the content types of REST. */
function connectDoor(transport: Transport): FastifyPluginAsync {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addHook("onRequest", async (request) => {
      // HTTP/1.0 may come without Host, but the plugin cannot do without and would answer an empty 200.
      if (request.headers.host === undefined) throw new Problem("malformed_request", "Host is missing.");
    });
    await scope.register(fastifyConnectPlugin, connectOptions(transport));
  };
}

function connectOptions(transport: Transport) {
  return {
    routes: connectRoutes(transport, services),
    readMaxBytes: maxBodyBytes,
    acceptCompression: [compressionGzip],
    maxTimeoutMs: 30_000,
    grpc: false,
    jsonOptions: { ignoreUnknownFields: false },
    contextValues: (request: FastifyRequest) =>
      createContextValues().set(callOrigin, {
        door: "connect",
        address: request.ip,
        requestId: request.id,
        traceparent: traceparentOf(request.headers[metadata.traceparent]?.toString()),
        isTrusted: false,
      }),
  };
}
