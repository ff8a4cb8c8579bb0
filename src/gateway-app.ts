// A gateway of its own: REST here, the pipeline in another process.
import { createClient, type Transport } from "@connectrpc/connect";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { partnerScopeMeanings } from "./domain/identity/scopes.ts";
import { type CoreAddress, createCoreTransport } from "./gateway/core/remote-transport.ts";
import { createGateway } from "./gateway/gateway.ts";
import { Health, HealthCheckResponse_ServingStatus } from "./gen/health/v1/health_pb.ts";
import type { Readiness } from "./http/health-routes.ts";
import { closeHttp, listen } from "./http/server.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { readableUrl } from "./web/paths.ts";
import { addWeb } from "./web/web.ts";

const drainMs = 10_000;
const receiveTimeoutMs = 15_000;
const healthTimeoutMs = 2_000;

export interface GatewayAppOptions {
  readonly config: Config;
  readonly core: CoreAddress;
  readonly log: Logger;
}

/** Starts the HTTP port over a core that is reached by gRPC. */
export async function startGatewayApp({ config, core, log }: GatewayAppOptions): Promise<Omit<App, "grpcPort">> {
  const stopping = new AbortController();
  const transport = createCoreTransport(core);
  let publicUrl = config.PUBLIC_URL ?? "";
  const reportDefect = (error: unknown, requestId: string) => log.error({ err: error, requestId }, "defect");
  const http = createGateway({
    transport,
    publicUrl: () => publicUrl,
    receiveTimeoutMs,
    trustedProxies: config.TRUSTED_PROXIES,
    reportDefect,
    isStopping: () => stopping.signal.aborted,
    readableUrl,
    scopes: partnerScopeMeanings,
    readiness: () => coreReadiness(transport),
    metrics: createMetrics().text,
    metricsToken: config.METRICS_TOKEN,
  });
  await addWeb(http, { transport, publicUrl: () => publicUrl, reportDefect });
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

async function coreReadiness(transport: Transport): Promise<Readiness> {
  try {
    const { status } = await createClient(Health, transport).check({}, { timeoutMs: healthTimeoutMs });
    if (status === HealthCheckResponse_ServingStatus.SERVING) return { isReady: true };
    return { isReady: false, reason: "The core is not ready." };
  } catch {
    return { isReady: false, reason: "The core cannot be reached, or does not know this gateway." };
  }
}
