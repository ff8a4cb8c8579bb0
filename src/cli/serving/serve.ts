// pas serve: the service itself, until a signal stops it.
import cluster from "node:cluster";
import { setTimeout } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { reviveEmbeddedDatabase } from "../../database/embedded/database.ts";
import { type App, startApp } from "../../process/app.ts";
import { startDeliverApp } from "../../process/deliver-app.ts";
import { startGatewayApp } from "../../process/gateway-app.ts";
import type { RunningProcess } from "../../process/process-base.ts";
import { createLogger, type Logger } from "../../telemetry/logger.ts";
import { formatUrl } from "../../transport/http/server.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { provideDatabase } from "../database.ts";
import { type DemoClient, provideDemoClient, resolveDemoClientFile } from "../demo/demo-client.ts";
import { prepareDatabase } from "../migrate.ts";
import { provideWebhookKeys } from "../webhook-keys.ts";
import { findRoleFault, type Role } from "./role.ts";
import { waitForStop } from "./stop-signal.ts";
import { joinPrimary, runWorkers } from "./workers.ts";

/** The last part of SHUTDOWN_DELAY_SECONDS, in which connections are closed. */
const lastSecondMs = 1_000;

interface ServeOptions {
  readonly role: Role;
  /** Address of the core, for a gateway. */
  readonly core?: string;
  /** Processes that share the ports. */
  readonly workers: number;
}

/** Runs the service until a signal stops it. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  try {
    await serveRole(context, options);
  } finally {
    // While its channel to the primary is open, a worker does not exit by itself, even if it failed to start.
    cluster.worker?.disconnect();
  }
}

async function serveRole(context: CommandContext, options: ServeOptions): Promise<void> {
  const { config } = context;
  const { role, workers } = options;
  const worker = cluster.worker?.id;
  const reportServing = worker === undefined ? undefined : joinPrimary();
  const log = createLogger(config.LOG_LEVEL, undefined, worker);
  const fault = findRoleFault(role, config);
  if (fault !== undefined) throw new UsageError(fault);
  const gateway = role === "gateway" ? readCoreAccess(config, options) : undefined;
  await using database = gateway === undefined ? await provideDatabase(context) : undefined;
  const ownsEmbedded = database?.isEmbedded === true && worker === undefined;
  const stopping = new AbortController();
  if (ownsEmbedded) void watchEmbedded(config.DATA_DIR, log, stopping.signal);
  try {
    // A data folder is one installation's own.
    if (ownsEmbedded) await prepareDatabase(context, database.address);
    if (workers > 1 && cluster.isPrimary) {
      if (ownsEmbedded) await provideDemoClient(context, formatUrl(config.HOST, config.HTTP_PORT));
      return await runWorkers(workers, config, log);
    }
    const app = await start();
    const { httpUrl: http, registry, grpcPort } = app;
    const stop = waitForStop();
    reportServing?.(registry);
    log.info({ http, ...(grpcPort && { grpcPort }), role }, "serving");
    if (ownsEmbedded && grpcPort) printBanner(context, http, grpcPort, await provideDemoClient(context, http));
    await runUntilStopped(app, stop, config, log);
  } finally {
    // A start in progress holds the lock of the data folder, so the disposal of the database waits for it.
    stopping.abort();
  }

  async function start(): Promise<Serving> {
    if (gateway !== undefined) return startGatewayApp({ config, core: gateway, log, worker });
    if (database === undefined) throw new Error("only a gateway has no database");
    const webhookKeys = await provideWebhookKeys(config);
    const settings = { config, database: database.address, webhookKeys, log, worker };
    return role === "all" || role === "core" ? startApp({ ...settings, role }) : startDeliverApp(settings);
  }
}

/** A process, with a gRPC port if it runs the core. */
type Serving = RunningProcess & Partial<App>;

/** The core of a gateway, and the credentials for it. */
function readCoreAccess(
  { GATEWAY_CLIENT_ID: clientId = "", GATEWAY_CLIENT_SECRET: clientSecret = "" }: Config,
  { core }: ServeOptions,
) {
  if (core === undefined) throw new UsageError("--role gateway needs --core, the address of the core");
  return { url: core, clientId, clientSecret };
}

/**
 * Serves until stopped, then for as long as load balancers take to notice, and stops. Connections end when balancers
 * have noticed and there still is time to open others; a balancer that had not would break the calls that it sends.
 */
async function runUntilStopped(app: Serving, stop: Promise<void>, config: Config, log: Logger): Promise<void> {
  await stop;
  const { SHUTDOWN_DELAY_SECONDS: seconds } = config;
  if (seconds > 0) {
    await app.announceStop();
    log.info({ seconds }, "not ready, serving on before the stop");
    await setTimeout(seconds * 1000 - lastSecondMs);
    if (app.endConnections !== undefined) {
      app.endConnections();
      log.info("sent GOAWAY on all gRPC connections");
    }
    await setTimeout(lastSecondMs);
  }
  log.info("stopping");
  await app.stop();
}

/** Prints the addresses and a command that works when pasted. The secret in them is that of the demo client only. */
function printBanner({ say, config }: CommandContext, url: string, grpcPort: number, client: DemoClient): void {
  const { clientId, clientSecret } = client;
  say(`
Partner Assessment Service
  docs     ${url}/docs
  REST     ${url}/v1
  gRPC     ${config.HOST}:${grpcPort}
  ready    ${url}/readyz
  clients  ${resolveDemoClientFile(config.DATA_DIR)}: a live one, and \`test\`, whose people and time are made up

Paste this into another terminal: it creates a session, and shows its questions.

  curl -s ${url}/v1/values-bridge/sessions -H 'Content-Type: application/json' -d '{}' \\
    -H "Authorization: Bearer $(curl -s ${url}/oauth/token -d grant_type=client_credentials \\
    -d client_id=${clientId} -d client_secret=${clientSecret} | cut -d'"' -f4)" | head -c 700; echo

Or see the results of a whole assessment as a table: npm run demo
Stop with Ctrl-C.
`);
}

/** Each start that fails is tried again after this time. */
const restartPauseMs = 1_000;

/** Starts the server again whenever it has ended, until the signal aborts. */
async function watchEmbedded(dataDir: string, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const hasRestarted = await reviveEmbeddedDatabase({ dataDir, log: (line) => log.info(line) }, signal);
      if (hasRestarted) log.warn("the embedded database server had died and was started again");
    } catch (error) {
      log.error({ err: error }, "the embedded database server has died and cannot be started");
      await setTimeout(restartPauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
