// A gateway of its own: REST and hosted pages here, the pipeline in another process.
import { readFile } from "node:fs/promises";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { BodyBudget } from "./contract/body-budget.ts";
import { Refusal } from "./contract/refusal.ts";
import { partnerScopeMeanings } from "./domain/identity/scopes.ts";
import type { GatewayCredentials } from "./gateway/core/gateway-token.ts";
import { createRemoteCore, type RemoteCore } from "./gateway/core/remote-core.ts";
import { createGateway } from "./gateway/gateway.ts";
import type { Readiness } from "./http/health-routes.ts";
import { keptReadiness } from "./http/readiness.ts";
import { closeHttp, listen } from "./http/server.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { createObservers } from "./telemetry/observers.ts";
import { readableUrl } from "./web/paths.ts";
import { addWeb } from "./web/web.ts";

const drainMs = 10_000;
const receiveTimeoutMs = 15_000;

export interface GatewayAppOptions {
  readonly config: Config;
  /** Where the core is, for example `http://core:50051`, and who the gateway is there. */
  readonly core: GatewayCredentials & { readonly url: string };
  readonly log: Logger;
}

/** Starts the HTTP port over a core that is reached by gRPC. */
export async function startGatewayApp(options: GatewayAppOptions): Promise<Omit<App, "grpcPort">> {
  const { config, log } = options;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const budget = new BodyBudget();
  const metrics = createMetrics(() => budget.usedBytes);
  const observers = createObservers(log, metrics);
  const tls = await readTls(config, new URL(options.core.url));
  const core = createRemoteCore({ ...options.core, tls, observer: observers.call, now: () => performance.now() });
  let publicUrl = config.PUBLIC_URL ?? "";
  const reportDefect = (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect");
  const http = createGateway({
    core,
    budget,
    publicUrl: () => publicUrl,
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    requestObserver: observers.request,
    reportDefect,
    isStopping,
    readableUrl,
    scopes: partnerScopeMeanings,
    readiness: keptReadiness(() => coreReadiness(core, log), isStopping),
    metrics: metrics.text,
    metricsToken: config.METRICS_TOKEN,
  });
  await addWeb(http, { core, budget, publicUrl: () => publicUrl, reportDefect });
  const httpUrl = await listen(http, config.HOST, config.HTTP_PORT);
  publicUrl = config.PUBLIC_URL ?? httpUrl;
  return {
    httpUrl,
    async stop() {
      stopping.abort();
      await closeHttp(http, drainMs);
    },
  };
}

/** Reads the files for TLS towards the core. Throws in words for people. */
async function readTls({ CORE_TLS_CA_FILE: ca, CORE_TLS_CERT_FILE: cert, CORE_TLS_KEY_FILE: key }: Config, core: URL) {
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error("a certificate for the core needs both CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE");
  }
  if (core.protocol !== "https:" && (ca ?? cert) !== undefined) {
    throw new Error("CORE_TLS_… is for a core with TLS: --core must begin with https:");
  }
  const read = (file: string | undefined) => (file === undefined ? undefined : readFile(file));
  return { ca: await read(ca), cert: await read(cert), key: await read(key) };
}

async function coreReadiness(core: RemoteCore, log: Logger): Promise<Readiness> {
  try {
    await core.probe();
    return { isReady: true };
  } catch (error) {
    log.error(
      { err: error instanceof Refusal ? (error.cause ?? error) : error },
      "the core does not serve this gateway",
    );
    return { isReady: false, reason: "The core cannot be reached, is not ready, or does not know this gateway." };
  }
}
