// The whole service on free ports over a schema of its own, with partners and tokens to call it.

import { openCommandDatabase } from "../../src/cli/database.ts";
import { readConfig } from "../../src/config.ts";
import { partnerScopes, type Scope } from "../../src/domain/identity/scopes.ts";
import { startApp } from "../../src/process/app.ts";
import { startGatewayApp } from "../../src/process/gateway-app.ts";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { publishAssessment } from "../../src/services/assessments/assessment-service.ts";
import { createTestTwin } from "../../src/services/identity/partners.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase } from "./databases/database.ts";
import { type Credentials, fetchToken, openPartners } from "./databases/partners.ts";
import { deadline } from "./deadline.ts";
import { localWebhooks, noLimits } from "./processes/settings.ts";
import { bearer } from "./transports/grpc-client.ts";

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** Starts the service; without overrides there are no rate limits. */
export async function startTestApp(environment: Record<string, string> = {}, role: "all" | "core" = "all") {
  const database = await createTestDatabase();
  const logLines: string[] = [];
  const config = readConfig({
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    LOG_LEVEL: "trace",
    ...noLimits,
    ...localWebhooks,
    ...environment,
  });
  const log = createLogger(config.LOG_LEVEL, { write: (line) => logLines.push(line) });
  const options = { role, database: database.address, log };
  let app = await startApp({ config, ...options });
  const ports = { HTTP_PORT: Number(new URL(app.httpUrl).port), GRPC_PORT: app.grpcPort };
  const { httpUrl } = app;
  const partners = openPartners(database.address);
  return {
    httpUrl,
    grpcAddress: `127.0.0.1:${ports.GRPC_PORT}`,
    database,
    /** Every line of the log so far. */
    logLines: logLines as readonly string[],
    addPartner: partners.addPartner,
    addClient: partners.addClient,
    /** The test twin of a partner. */
    addTwin: (partnerId: string) => createTestTwin(partners.dependencies, partnerId, deadline),
    /** Makes a definition the published version of its product, unless it is. */
    async publish(definition: Definition) {
      await using commandDatabase = await openCommandDatabase(() => undefined, database.address);
      const deps = { ...partners.dependencies, shards: commandDatabase.list };
      await publishAssessment(deps, JSON.stringify(definition), deadline);
    },
    /** Makes the service say that it is about to stop, and serve on. */
    leaveService: () => app.announceStop(),
    /** Has clients of gRPC go on over other connections. */
    endConnections: () => app.endConnections(),
    /** An access token with all scopes of the client. */
    tokenOf: (credentials: Credentials) => fetchToken(httpUrl, credentials),
    /** Stops the service alone. */
    stopService: () => app.stop(),
    /** Starts it again on the same ports. */
    async startService() {
      app = await startApp({ config: { ...config, ...ports }, ...options });
    },
    /** Stops the service and removes its database. */
    async stop() {
      await app.stop();
      await partners.close();
      await database.drop();
    },
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

export interface GatewayOptions {
  /** Address of the core; that of the service unless given. */
  readonly coreUrl?: string;
  /** Who the gateway is there; a new client of an internal partner unless given. */
  readonly client?: Credentials;
  readonly environment?: Record<string, string>;
}

/** A gateway in front of the service, reaching it over gRPC as a client of an internal partner. */
export async function startTestGateway(app: TestApp, options: GatewayOptions = {}) {
  const { coreUrl = `http://${app.grpcAddress}`, environment = {} } = options;
  const client = options.client ?? (await app.addClient(await app.addPartner({ internal: true }), ["gateway"]));
  const logLines: string[] = [];
  const config = readConfig({ HTTP_PORT: "0", LOG_LEVEL: "trace", PUBLIC_URL: app.httpUrl, ...environment });
  const log = createLogger(config.LOG_LEVEL, { write: (line) => logLines.push(line) });
  const core = { url: coreUrl, ...client };
  const gateway = await startGatewayApp({ config, core, log });
  return { ...gateway, logLines: logLines as readonly string[] };
}

/** A partner with a client that has all partner scopes, and a token of it. */
export async function addCaller(app: TestApp, scopes: readonly Scope[] = partnerScopes) {
  return addCallerTo(app, await app.addPartner(), scopes);
}

/** Options of gRPC calls by a client of a new internal partner. */
export async function addOperator(app: TestApp, ...scopes: readonly Scope[]) {
  const credentials = await app.addClient(await app.addPartner({ internal: true }), scopes);
  return bearer(await app.tokenOf(credentials));
}

/** A client of a partner's test twin that has all partner scopes, and a token of it. */
export async function addTwinCaller(app: TestApp, twinOf: string) {
  return addCallerTo(app, await app.addTwin(twinOf), partnerScopes);
}

async function addCallerTo(app: TestApp, partnerId: string, scopes: readonly Scope[]) {
  const credentials = await app.addClient(partnerId, scopes);
  return { partnerId, credentials, token: await app.tokenOf(credentials) };
}
