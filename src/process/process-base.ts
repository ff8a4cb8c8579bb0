// Parts of processes of every role: start, database, HTTP port. Times are in milliseconds.
import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { readDatabaseClock, SharedClock } from "../database/clock.ts";
import type { DatabaseAddress } from "../database/database.ts";
import { addSite } from "../docs-site/site.ts";
import { partnerScopes } from "../domain/identity/scopes.ts";
import { JobRunner, systemTimers } from "../jobs/runner.ts";
import { monotonic } from "../kernel/environment.ts";
import { createConnectionMemory } from "../limits/connections.ts";
import { ArrivingMessages } from "../limits/memory.ts";
import { repairUrl } from "../pages/paths.ts";
import { createValuesBridge } from "../products/values-bridge/values-bridge.ts";
import { createDependencies, type ServiceEnvironment } from "../services/dependencies.ts";
import { createStores } from "../store/stores.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Tracing } from "../telemetry/spans.ts";
import { createTelemetry, type ProcessInfo, type Telemetry } from "../telemetry/telemetry.ts";
import { listen } from "../transport/http/server.ts";
import { ShardSet } from "./shard-set.ts";

/** The time in which running calls may end when the process stops. */
export const drainMs = 10_000;
/** The time in which a request has to arrive. */
export const receiveTimeoutMs = 15_000;

export interface ProcessOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Its number among processes that share its ports; the metrics of all of them are served elsewhere. */
  readonly worker?: number | undefined;
}

/** A process of any role. */
export interface RunningProcess {
  readonly httpUrl: string;
  /** All metrics, for a process that serves those of several. */
  readonly registry: Telemetry["registry"];
  /** Reports itself as not ready and asks callers to close their connections, but still serves. */
  announceStop(): Promise<void>;
  /** Refuses new work, lets running requests end within 10 seconds, then closes everything. */
  stop(): Promise<void>;
}

export type ProcessBase = ReturnType<typeof beginProcess>;

/** The first parts of a process of any role. */
export function beginProcess({ config, log, worker }: ProcessOptions, info: ProcessInfo = {}) {
  const bodies = new ArrivingMessages();
  const connectionMemory = createConnectionMemory();
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  /** The address of the service: as configured, else that of its HTTP port once it listens. */
  const address = { publicUrl: config.PUBLIC_URL ?? "" };
  const resolvePublicUrl = () => address.publicUrl;
  const telemetry = createTelemetry(log, { revision: config.REVISION, worker, ...info });
  telemetry.addSource("arrivingBytes", () => bodies.memory.reservedBytes);
  telemetry.addSource("connectionBytes", () => connectionMemory.reservedBytes);
  /** Options of the HTTP port in every role. */
  const httpOptions = {
    bodies,
    connectionMemory,
    receiveTimeoutMs,
    reportDefect: (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect"),
    repairUrl,
    publicUrl: resolvePublicUrl,
    trustedProxies: config.TRUSTED_PROXIES,
    origins: config.CORS_ORIGINS,
    leaving: leaving.signal,
    stopping: stopping.signal,
    scopes: partnerScopes,
    addSite,
    requestObserver: telemetry.observeRequest,
    metrics: worker === undefined ? telemetry.scrape : undefined,
    metricsToken: config.METRICS_TOKEN,
  };
  return { config, log, bodies, leaving, stopping, address, publicUrl: resolvePublicUrl, telemetry, httpOptions };
}

/** Ends running work when the process stops, within `drainMs`. */
type Drain = () => Promise<unknown>;

/** @returns the list of what the stop drains, all at the same time; parts add to it as they start */
export function drainAtStop(resources: AsyncDisposableStack, { leaving, stopping }: ProcessBase): Drain[] {
  const drains: Drain[] = [];
  resources.defer(async () => {
    leaving.abort();
    stopping.abort();
    await Promise.all(drains.map((drain) => drain()));
  });
  return drains;
}

/** Listens on the HTTP port, once all routes are there. @returns the process; its `stop` disposes of the resources */
export async function serveHttp(
  resources: AsyncDisposableStack,
  { config, address, leaving, telemetry }: ProcessBase,
  http: FastifyInstance,
): Promise<RunningProcess> {
  await http.ready();
  // With `--expose-gc` it returns what loading took, in some 100 ms before the first request.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  address.publicUrl ||= httpUrl;
  const running = resources.move();
  return {
    httpUrl,
    registry: telemetry.registry,
    announceStop: async () => leaving.abort(),
    stop: () => running.disposeAsync(),
  };
}

interface Observers extends Pick<ServiceEnvironment, "reportDefect" | "observeAuditFailure"> {
  /** Called after each reading of the database's clock. @param fault of the clocks; undefined: they agree */
  readonly observeClock?: (fault: string | undefined) => void;
}

/** Use cases over the database, by a clock that follows the database's whenever that is read. */
export function connectDependencies({ db, list: shards }: ShardSet, observers: Observers) {
  const { reportDefect, observeAuditFailure, observeClock } = observers;
  const clock = new SharedClock({ system: () => Date.now(), monotonic });
  const environment = { reportDefect, observeAuditFailure, clock: clock.now, clockFault: clock.describeFault, shards };
  const dependencies = createDependencies(createStores(db), environment, createValuesBridge());
  const readClock = async (signal: AbortSignal) => {
    clock.addReading(await readDatabaseClock(db, monotonic, signal));
    observeClock?.(clock.describeFault());
  };
  return { dependencies, readClock };
}

export type ProcessDependencies = ReturnType<typeof openProcessDependencies>;

/**
 * Opens the database of a process, with its shards and its clock.
 * @param resources closes it at the end. @param tracing undefined: statements are not recorded
 */
export function openProcessDependencies(
  resources: AsyncDisposableStack,
  { config, telemetry }: ProcessBase,
  address: DatabaseAddress,
  tracing?: Tracing,
) {
  const { statements, observeConnection: warn, reportDefect, jobs } = telemetry;
  const observer = tracing?.traceStatements(statements) ?? statements;
  const options = { address, warn, observer, poolSize: config.DATABASE_POOL_SIZE };
  const shards = resources.use(new ShardSet(options, reportDefect));
  const { pool } = shards.db;
  telemetry.addSource("connections", () => {
    return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
  });
  const { dependencies, readClock } = connectDependencies(shards, telemetry);
  const { jobLeases: leases } = dependencies;
  const runnerDeps = { timers: systemTimers, random: randomBytes, leases, reportDefect, ...jobs };
  return { shards, dependencies, readClock, newRunner: () => new JobRunner(runnerDeps) };
}
