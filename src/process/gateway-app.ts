// A gateway in its own process: REST and hosted pages here, the pipeline in another process.

import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { isInternalScope, isScope } from "../domain/identity/scopes.ts";
import { createGateway } from "../gateway/gateway.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { addWeb } from "../pages/web.ts";
import type { Logger } from "../telemetry/logger.ts";
import { openTracing, readCertificateExpiries } from "../telemetry/telemetry.ts";
import { cacheReadiness, type Readiness } from "../transport/http/health-routes.ts";
import { closeHttp } from "../transport/http/server.ts";
import { createRemoteCore, type RemoteCore, type RemoteCoreOptions } from "../transport/remote-core/remote-core.ts";
import {
  beginProcess,
  drainAtStop,
  drainMs,
  type ProcessOptions,
  type RunningProcess,
  serveHttp,
} from "./process-base.ts";

export interface GatewayAppOptions extends ProcessOptions {
  /** Address of the core, for example `http://core:50051`, and the gateway's credentials. */
  readonly core: Pick<RemoteCoreOptions, "clientId" | "clientSecret" | "url">;
}

/** Starts the HTTP port; the core is reached by gRPC. */
export async function startGatewayApp(options: GatewayAppOptions): Promise<RunningProcess> {
  const { config, log } = options;
  const base = beginProcess(options, {
    certificates: await readCertificateExpiries({ gateway: config.CORE_TLS_CERT_FILE }),
  });
  const { leaving, telemetry, httpOptions } = base;
  await using resources = new AsyncDisposableStack();
  const tracing = await openTracing(config, telemetry.observeSpans);
  resources.defer(async () => tracing?.stop());
  const core = createRemoteCore({
    ...options.core,
    tls: await readCoreTls(config, new URL(options.core.url)),
    observer: telemetry.observeCall,
    tracing,
    isInternalScope: (scope) => isScope(scope) && isInternalScope(scope),
  });
  const readiness = cacheReadiness(() => checkCore(core, log), leaving.signal);
  const http = createGateway({ ...httpOptions, core, readiness });
  drainAtStop(resources, base).push(() => closeHttp(http, drainMs));
  await addWeb(http, { ...httpOptions, core });
  return await serveHttp(resources, base, http);
}

/** Reads the files for TLS to the core. Throws in words for people. */
async function readCoreTls(
  { CORE_TLS_CA_FILE: ca, CORE_TLS_CERT_FILE: cert, CORE_TLS_KEY_FILE: key }: Config,
  core: URL,
) {
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error("a certificate for the core needs both CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE");
  }
  if (core.protocol !== "https:" && (ca ?? cert) !== undefined) {
    throw new Error("CORE_TLS_… is for a core with TLS: --core must begin with https:");
  }
  const read = (file: string | undefined) => (file === undefined ? undefined : readFile(file));
  return { ca: await read(ca), cert: await read(cert), key: await read(key) };
}

async function checkCore(core: RemoteCore, log: Logger): Promise<Readiness> {
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
